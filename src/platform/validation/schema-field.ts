import { z } from 'zod';

/** One message for every violation. Rules that compare fields skip an invalid one. */
export function field<Schema extends z.ZodType>(schema: Schema, rule: string) {
  return z.unknown().transform((value, context): z.output<Schema> => {
    const read = schema.safeParse(value);
    if (read.success) return read.data;
    // Other values may be secrets.
    const shown = schema instanceof z.ZodNumber && typeof value === 'number';
    context.addIssue({
      code: 'custom',
      message: shown ? `${rule}, not ${value}` : rule,
      input: value,
    });
    return z.NEVER;
  });
}

export const wholeNumber = (least: number, most: number) =>
  field(z.int().min(least).max(most), `must be a whole number between ${least} and ${most}`);

export function choice<const Words extends readonly string[]>(words: Words) {
  return field(z.enum(words), `must be one of ${words.join(', ')}`);
}
