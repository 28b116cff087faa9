; What matters in a TSX file besides what does in a TypeScript file, whose query comes first.

(jsx_opening_element) @element
(jsx_self_closing_element) @element
