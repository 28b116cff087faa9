; What matters in a Rust file. What each capture means is said in extract.py.

(function_item) @function
(function_signature_item) @function
(struct_item) @struct
(union_item) @struct
(enum_item) @enum
(trait_item) @trait
(impl_item) @impl
(mod_item) @mod
(type_item) @alias
(associated_type) @associated
(const_item) @constant
(static_item) @constant
(use_declaration) @use
(extern_crate_declaration) @crate

(let_declaration) @let
(let_condition) @let
(match_arm) @arm
(for_expression) @for
(closure_expression) @closure
(call_expression) @call
(block) @block

(line_comment) @comment
(block_comment) @comment
