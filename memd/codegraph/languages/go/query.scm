; What matters in a Go file. What each capture means is said in extract.py.

(package_clause) @package
(import_spec) @import

(function_declaration) @function
(method_declaration) @method
(type_spec) @type
(type_alias) @alias

(var_spec) @var
(const_spec) @const
(short_var_declaration) @short
(range_clause) @range
(receive_statement) @receive
(type_switch_statement) @type_switch
(func_literal) @closure

; Blocks: what is declared in them is gone after them.
(block) @block
(for_statement) @block
(if_statement) @block
(expression_switch_statement) @block
(type_switch_statement) @block
(expression_case) @block
(type_case) @block
(default_case) @block
(communication_case) @block

(call_expression) @call
(type_conversion_expression) @conversion
(composite_literal) @composite

(comment) @comment
