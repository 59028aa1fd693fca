import { applyDecorators } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { Transform, Type } from 'class-transformer';
import {
  IsIn,
  IsObject,
  IsOptional,
  Matches,
  registerDecorator,
  ValidateNested,
  type ValidationArguments,
} from 'class-validator';
import { parseIsoInstant } from './iso-instant.js';
import { JsonTyped } from './validated.js';
import {
  isName,
  isPlainText,
  PLAIN_TEXT,
  PLAIN_TEXT_RULE,
  withoutInvisible,
} from './plain-text.js';

const MAX_CHARACTERS = 200;
const MAX_EMAIL_CHARACTERS = 254;
const MAX_RUPEES = 1e13;
const EMAIL = /^[^\s@]{1,64}@[^\s@]+\.[^\s@]+$/;

interface FieldOptions {
  /** Empty or null then counts as absent. */
  optional?: boolean;
  about?: string;
  example?: unknown;
}

/** Documents the rules of the field. */
export function DescribedField(
  schema: ApiPropertyOptions,
  { optional = false, about, example }: FieldOptions = {},
): PropertyDecorator {
  return ApiProperty({
    ...schema,
    required: !optional,
    description: about,
    ...(example !== undefined && { examples: [example] }),
  } as ApiPropertyOptions);
}

/** Removes invisible characters too; an empty or null optional field becomes undefined. */
function Tidy(options: FieldOptions): PropertyDecorator {
  return Transform(({ value }: { value: unknown }) => {
    const tidy = typeof value === 'string' ? withoutInvisible(value).trim() : value;
    return options.optional && (tidy === '' || tidy === null) ? undefined : tidy;
  });
}

/** A documented value of one JSON type. */
function valueField(
  schema: ApiPropertyOptions & { type: 'string' | 'number' | 'integer' | 'boolean' },
  options: FieldOptions,
  rule: PropertyDecorator,
): PropertyDecorator {
  return applyDecorators(
    DescribedField(schema, options),
    JsonTyped(schema.type === 'integer' ? 'number' : schema.type),
    Tidy(options),
    ...(options.optional ? [IsOptional()] : []),
    rule,
  );
}

export function Rule(
  name: string,
  test: (value: unknown, holder: object) => boolean,
  message: string,
): PropertyDecorator {
  return (target, property) => {
    registerDecorator({
      name,
      target: target.constructor,
      propertyName: property as string,
      options: { message },
      validator: {
        validate: (value: unknown, parts?: ValidationArguments) => test(value, parts?.object ?? {}),
      },
    });
  };
}

export function TextField(options: FieldOptions & { most?: number } = {}): PropertyDecorator {
  const most = options.most ?? MAX_CHARACTERS;
  const message = `must be text of 1 to ${most} characters ${PLAIN_TEXT_RULE}`;
  return valueField(
    { type: 'string', minLength: 1, maxLength: most },
    options,
    Rule('text', (value) => isPlainText(value, most), message),
  );
}

/** Plain text with at least one letter. */
export function NameField(options: FieldOptions = {}): PropertyDecorator {
  const message = `must be a name of 1 to ${MAX_CHARACTERS} characters with at least one letter, ${PLAIN_TEXT_RULE}`;
  const about = [options.about, 'At least one letter.'].filter(Boolean).join(' ');
  return valueField(
    { type: 'string', minLength: 1, maxLength: MAX_CHARACTERS },
    { ...options, about },
    Rule('name', (value) => isName(value), message),
  );
}

/** `message` says what is allowed. */
export function PatternField(
  pattern: RegExp,
  message: string,
  options: FieldOptions = {},
): PropertyDecorator {
  return valueField(
    { type: 'string', pattern: pattern.source },
    options,
    Matches(pattern, { message }),
  );
}

export function ChoiceField(
  values: readonly string[],
  options: FieldOptions = {},
): PropertyDecorator {
  const message = `must be one of ${values.join(', ')}`;
  return valueField({ type: 'string', enum: [...values] }, options, IsIn(values, { message }));
}

/** Above zero, with at most two decimals. */
export function RupeesField(options: FieldOptions = {}): PropertyDecorator {
  const message = 'must be an amount in rupees above zero with at most two decimals';
  // class-validator's count of decimals throws on 1e-7.
  const isAmount = (value: unknown) =>
    typeof value === 'number' &&
    value > 0 &&
    value <= MAX_RUPEES &&
    Number(value.toFixed(2)) === value;
  return valueField(
    { type: 'number', minimum: 0.01, maximum: MAX_RUPEES },
    options,
    Rule('rupees', isAmount, message),
  );
}

export function EmailField(options: FieldOptions = {}): PropertyDecorator {
  const message = 'must be an e-mail address';
  // Length first: the pattern is quadratic.
  const isEmail = (value: unknown) =>
    typeof value === 'string' &&
    value.length <= MAX_EMAIL_CHARACTERS &&
    EMAIL.test(value) &&
    PLAIN_TEXT.test(value);
  return valueField(
    { type: 'string', format: 'email', maxLength: MAX_EMAIL_CHARACTERS },
    options,
    Rule('email', isEmail, message),
  );
}

/** From 1. */
export function CountField({ most, ...options }: FieldOptions & { most: number }) {
  const isCount = (value: unknown) =>
    Number.isInteger(value) && Number(value) >= 1 && Number(value) <= most;
  return valueField(
    { type: 'integer', minimum: 1, maximum: most },
    options,
    Rule('count', isCount, `must be a whole number from 1 to ${most}`),
  );
}

export function AcceptedField(message: string, options: FieldOptions = {}): PropertyDecorator {
  return valueField(
    { type: 'boolean', enum: [true] },
    options,
    Rule('accepted', (value) => value === true, message),
  );
}

/** ISO 8601 with offset. */
export function InstantField(options: FieldOptions = {}): PropertyDecorator {
  const message = 'must be a date and time with its offset, such as 2026-01-31T15:30:00+05:30';
  const isInstant = (value: unknown) =>
    typeof value === 'string' && parseIsoInstant(value) !== null;
  return valueField(
    { type: 'string', format: 'date-time' },
    options,
    Rule('instant', isInstant, message),
  );
}

/** A null optional object counts as absent. */
export function NestedField(
  shape: new () => object,
  message: string,
  options: FieldOptions = {},
): PropertyDecorator {
  return applyDecorators(
    DescribedField({ type: () => shape }, options),
    ...(options.optional ? [IsOptional()] : []),
    IsObject({ message }),
    ValidateNested({ message }),
    Type(() => shape),
  );
}
