"""The values that attributes get, and the enums and states that these are."""
