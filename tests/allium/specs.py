"""Short specifications, sound and broken."""

HEAD = "-- allium: 3\n-- For tests.\n\n"
SOUND = HEAD + "entity Order {\n    total: Integer\n}\n"
UNKNOWN_TYPE = HEAD + "entity Order {\n    customer: Customer\n}\n"
BROKEN = HEAD + "entity Order {\n    total Integer\n}\n"
USES_CORE = (
    HEAD
    + """use "./core.allium" as core

entity Parcel {
    order: core/Order
    weight: Integer
}
"""
)
