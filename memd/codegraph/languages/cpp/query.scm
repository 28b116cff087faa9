; What matters in a C++ file. What each capture means is said in extract.py.

[(translation_unit) (ERROR)] @file
(function_definition) @function
(declaration) @declaration
(field_declaration) @field
(type_definition) @typedef
(alias_declaration) @alias
(namespace_alias_definition) @namespace_alias
(using_declaration) @using
(struct_specifier) @record
(union_specifier) @record
(class_specifier) @record
(enum_specifier) @record
(preproc_function_def) @macro
(lambda_expression) @lambda
(for_range_loop) @range
(catch_clause) @catch
(field_initializer) @initializer
(call_expression) @call
(new_expression) @new
(compound_literal_expression) @construct
(return_statement) @return
(compound_statement) @block
(for_statement) @block
(if_statement) @block
(while_statement) @block

(comment) @comment
