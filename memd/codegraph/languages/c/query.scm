; What matters in a C file. What each capture means is said in extract.py.

(function_definition) @function
(declaration) @declaration
(field_declaration) @field
(type_definition) @typedef
(struct_specifier) @record
(union_specifier) @record
(enum_specifier) @record
(preproc_function_def) @macro
[(translation_unit) (ERROR)] @file
(call_expression) @call
(compound_statement) @block
(for_statement) @block

(comment) @comment
