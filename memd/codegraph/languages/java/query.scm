; What matters in a Java file. What each capture means is said in extract.py.

(package_declaration) @package
(import_declaration) @import

(class_declaration) @type
(interface_declaration) @type
(enum_declaration) @type
(record_declaration) @type
(annotation_type_declaration) @type
(object_creation_expression (class_body)) @anonymous
(enum_constant body: (class_body)) @constant_body

(method_declaration) @method
(annotation_type_element_declaration) @method
(constructor_declaration) @constructor
(compact_constructor_declaration) @constructor

(field_declaration) @field
(constant_declaration) @field
(enum_constant) @constant
(local_variable_declaration) @local
(enhanced_for_statement) @for_each
(resource) @resource
(catch_clause) @catch
(lambda_expression) @lambda
(instanceof_expression) @instance_of
(type_pattern) @type_pattern
(record_pattern_component) @type_pattern

; Blocks: what is bound in them is gone after them.
(block) @block
(for_statement) @block
(try_with_resources_statement) @block
(switch_block) @block

(method_invocation) @call
(method_reference) @reference
(object_creation_expression) @construct
(explicit_constructor_invocation) @delegate

(line_comment) @comment
(block_comment) @comment
