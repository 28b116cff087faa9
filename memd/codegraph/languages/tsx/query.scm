; What matters in a TSX file. What each capture means is said in the extraction of TypeScript.

(function_declaration) @function
(generator_function_declaration) @function
(function_signature) @function
(arrow_function) @literal
(function_expression) @literal
(generator_function) @literal

(class_declaration) @class
(abstract_class_declaration) @class
(class) @class
(method_definition) @method
(public_field_definition) @field
(decorator) @decorator
(interface_declaration) @interface
(type_alias_declaration) @alias
(enum_declaration) @enum
(ambient_declaration) @ambient
(internal_module) @namespace
(module) @namespace

(lexical_declaration (variable_declarator) @variable)
(variable_declaration (variable_declarator) @var)
(assignment_expression) @assign
(augmented_assignment_expression) @assign
(return_statement) @return
(yield_expression) @yield

(statement_block) @block
(switch_body) @block
(for_statement) @block
(for_in_statement) @for
(catch_clause) @catch
(if_statement) @if
(ternary_expression) @choice
(binary_expression operator: "&&") @both

(import_statement) @import
(import_alias) @import_alias
(export_statement) @export
(call_expression) @call
(new_expression) @new

(jsx_opening_element) @element
(jsx_self_closing_element) @element

(comment) @comment
