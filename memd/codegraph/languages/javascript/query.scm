; What matters in a JavaScript file. What each capture means is said in the extraction of TypeScript.

(program) @program
(function_declaration) @function
(generator_function_declaration) @function
(arrow_function) @literal
(function_expression) @literal
(generator_function) @literal

(class_declaration) @class
(class) @class
(method_definition) @method
(field_definition) @field
(decorator) @decorator

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
(export_statement) @export
(call_expression) @call
(new_expression) @new

(jsx_opening_element) @element
(jsx_self_closing_element) @element

(comment) @comment
