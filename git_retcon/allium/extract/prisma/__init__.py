"""Prisma: the models and the enums of its schemas, which rows in TypeScript are of."""
