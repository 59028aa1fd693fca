import { applyDecorators } from '@nestjs/common';
import { plainToInstance, Transform, Type } from 'class-transformer';
import { isEmail, IsOptional, ValidateNested } from 'class-validator';
import { Rule } from '../../platform/index.js';

type Shape = new () => object;

interface Options {
  /** Undefined and null count as left out. */
  readonly optional?: boolean;
}

interface ListOptions extends Options {
  readonly least?: number;
  readonly most?: number;
}

interface NumberRange extends Options {
  readonly least: number;
  readonly most: number;
}

const NESTED_MESSAGE = 'must be a mapping';

export function PartField(shape: Shape, options: Options = {}): PropertyDecorator {
  return applyDecorators(
    Type(() => shape),
    RuleUnlessLeftOut(options, 'mapping', isMapping, NESTED_MESSAGE),
    ValidateNested({ message: NESTED_MESSAGE }),
  );
}

export function PartsField(
  shape: Shape,
  { least = 0, ...options }: Omit<ListOptions, 'most'> = {},
): PropertyDecorator {
  const message = least === 0 ? 'must be a list' : `must be a list of at least ${least}`;
  return applyDecorators(
    Type(() => shape),
    RuleUnlessLeftOut(options, 'list', (value) => isList(value, { least }), message),
    ValidateNested({ each: true, message: NESTED_MESSAGE }),
  );
}

/** Read as a map. */
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

/** Different words, of a closed set when one is given. */
export function WordsField(
  options: Omit<ListOptions, 'most'> & { of?: readonly string[] } = {},
): PropertyDecorator {
  const set = options.of ? ` from ${options.of.join(', ')}` : '';
  const isWord = (value: unknown) =>
    typeof value === 'string' && (options.of === undefined || options.of.includes(value));
  const least = options.least ? ` of at least ${options.least}` : '';
  return RuleUnlessLeftOut(
    options,
    'words',
    (value) => isList(value, options) && value.every(isWord) && areDifferent(value),
    `must be a list${least} of different words${set}`,
  );
}

/** Their meaning is checked elsewhere. */
export function TextsField(options: Options & { most: number }): PropertyDecorator {
  return RuleUnlessLeftOut(
    options,
    'texts',
    (value) => isList(value, options) && value.every((one) => typeof one === 'string'),
    `must be a list of at most ${options.most} texts`,
  );
}

export function EmailsField(options: Options & { most: number }): PropertyDecorator {
  return RuleUnlessLeftOut(
    options,
    'emails',
    (value) => isList(value, options) && value.every((one) => isEmail(one)) && areDifferent(value),
    `must be a list of at most ${options.most} different e-mail addresses`,
  );
}

export function NumberField(range: NumberRange): PropertyDecorator {
  const isRight = (value: unknown) => typeof value === 'number' && isWithin(value, range);
  const message = `must be a number from ${range.least} to ${range.most}`;
  return RuleUnlessLeftOut(range, 'number', isRight, message);
}

export function WholeNumberField(range: NumberRange): PropertyDecorator {
  const isRight = (value: unknown) => Number.isInteger(value) && isWithin(Number(value), range);
  const message = `must be a whole number from ${range.least} to ${range.most}`;
  return RuleUnlessLeftOut(range, 'number', isRight, message);
}

/** 0 to 100. */
export function PercentField(options: Options = {}): PropertyDecorator {
  return NumberField({ least: 0, most: 100, ...options });
}

export function RuleUnlessLeftOut(
  { optional = false }: Options,
  name: string,
  test: (value: unknown) => boolean,
  message: string,
): PropertyDecorator {
  return applyDecorators(...(optional ? [IsOptional()] : []), Rule(name, test, message));
}

export function isMapping(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isList(value: unknown, { least = 0, most = Infinity }: ListOptions): value is unknown[] {
  return Array.isArray(value) && isWithin(value.length, { least, most });
}

function areDifferent(values: readonly unknown[]): boolean {
  return new Set(values).size === values.length;
}

function isWithin(value: number, { least, most }: NumberRange): boolean {
  return value >= least && value <= most;
}
