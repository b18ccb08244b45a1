"""Classes as entities: what they declare, by which framework, and what their file says of them."""
