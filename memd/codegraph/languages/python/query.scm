; What matters in a Python file. What each capture means is said in extract.py.

(function_definition) @function
(class_definition) @class
(lambda) @lambda
(call) @call

(assignment) @assign
(named_expression) @walrus
(for_statement) @for
(for_in_clause) @comprehension
(with_item) @with
(except_clause) @except
(case_clause) @case
(type_alias_statement) @alias
(return_statement) @return
(yield) @yield

(import_statement) @import
(import_from_statement) @import_from

; Blocks, for what holds only inside of them.
(if_statement consequence: (block) @block)
(if_statement condition: (_) @condition)
(elif_clause consequence: (block) @block)
(elif_clause condition: (_) @condition)
(else_clause body: (block) @block)
(for_statement body: (block) @block)
(while_statement body: (block) @block)
(except_clause) @block
(case_clause consequence: (block) @block)
(assert_statement) @assert

(comment) @comment
(except_clause) @block
(module . (string) @comment)
(block . (string) @comment)
