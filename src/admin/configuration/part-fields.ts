import { applyDecorators } from '@nestjs/common';
import { plainToInstance, Transform, Type } from 'class-transformer';
import { isEmail, IsOptional, ValidateNested } from 'class-validator';
import { Rule } from '../../platform/index.js';

type Shape = new () => object;

const NESTED_MESSAGE = 'must be a mapping';

/** One part of the file, checked against its own class. */
export function PartField(shape: Shape, options: { optional?: boolean } = {}): PropertyDecorator {
  return applyDecorators(
    ...(options.optional ? [IsOptional()] : []),
    Type(() => shape),
    Rule('mapping', (value) => isMapping(value) || isLeftOut(value, options), NESTED_MESSAGE),
    ValidateNested({ message: NESTED_MESSAGE }),
  );
}

/** A list of parts, each checked against the class. */
export function PartsField(
  shape: Shape,
  options: { least?: number; optional?: boolean } = {},
): PropertyDecorator {
  const least = options.least ?? 0;
  const message = least === 0 ? 'must be a list' : `must be a list of at least ${least}`;
  const isList = (value: unknown) => Array.isArray(value) && value.length >= least;
  return applyDecorators(
    ...(options.optional ? [IsOptional()] : []),
    Type(() => shape),
    Rule('list', (value) => isList(value) || isLeftOut(value, options), message),
    ValidateNested({ each: true, message: NESTED_MESSAGE }),
  );
}

/** Parts by name, each checked against the class; read as a map. */
export function NamedPartsField(shape: Shape): PropertyDecorator {
  return applyDecorators(
    Transform(({ value }: { value: unknown }) =>
      isMapping(value)
        ? new Map(
            Object.entries(value).map(([name, part]) => [
              name,
              plainToInstance(shape, part, { exposeUnsetFields: false }),
            ]),
          )
        : value,
    ),
    Rule('named', (value) => value instanceof Map && value.size > 0, 'must be a mapping by name'),
    ValidateNested({ message: NESTED_MESSAGE }),
  );
}

/** A list of different words of a closed set, or any words when no set is given. */
export function WordsField(
  options: { of?: readonly string[]; least?: number; optional?: boolean } = {},
): PropertyDecorator {
  const set = options.of ? ` from ${options.of.join(', ')}` : '';
  const isWord = (value: unknown) =>
    typeof value === 'string' && (options.of === undefined || options.of.includes(value));
  const isRight = (value: unknown) =>
    Array.isArray(value) &&
    value.length >= (options.least ?? 0) &&
    value.every(isWord) &&
    new Set(value).size === value.length;
  const least = options.least ? ` of at least ${options.least}` : '';
  return applyDecorators(
    Rule(
      'words',
      (value) => isRight(value) || isLeftOut(value, options),
      `must be a list${least} of different words${set}`,
    ),
  );
}

/** A list of texts, each as it may be; what they mean is for others to check. */
export function TextsField(options: { most: number; optional?: boolean }): PropertyDecorator {
  const { most } = options;
  const isRight = (value: unknown) =>
    Array.isArray(value) && value.length <= most && value.every((one) => typeof one === 'string');
  return applyDecorators(
    Rule(
      'texts',
      (value) => isRight(value) || isLeftOut(value, options),
      `must be a list of at most ${most} texts`,
    ),
  );
}

/** A list of different e-mail addresses, without names. */
export function EmailsField(options: { most: number; optional?: boolean }): PropertyDecorator {
  const { most } = options;
  const isRight = (value: unknown) =>
    Array.isArray(value) &&
    value.length <= most &&
    value.every((one) => isEmail(one)) &&
    new Set(value).size === value.length;
  return applyDecorators(
    Rule(
      'emails',
      (value) => isRight(value) || isLeftOut(value, options),
      `must be a list of at most ${most} different e-mail addresses`,
    ),
  );
}

function isMapping(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isLeftOut(value: unknown, options: { optional?: boolean }): boolean {
  return options.optional === true && (value === undefined || value === null);
}
