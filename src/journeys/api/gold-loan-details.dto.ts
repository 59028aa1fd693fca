import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { ArrayMaxSize, ArrayMinSize, IsArray } from 'class-validator';
import {
  DescribedField,
  type FieldProblem,
  isPlainText,
  PatternField,
  PLAIN_TEXT_RULE,
  Rule,
  withoutInvisible,
} from '../../platform/index.js';

const GRAMS_PROBLEM =
  'must be a weight in grams above zero, with at most 7 digits before the point and 4 after it';
const SOURCE = 'RBI (Lending Against Gold and Silver Collateral) Directions, 2025';

const GramsField = (described: { about: string; example: string; optional?: boolean }) =>
  applyDecorators(
    PatternField(/^\d{1,7}(\.\d{1,4})?$/, GRAMS_PROBLEM, described),
    Rule('aboveZero', (value) => typeof value === 'string' && Number(value) > 0, GRAMS_PROBLEM),
  );

/** The contract spells it `jewellaryList`. */
export class GoldLoanDetails {
  @DescribedField(
    {
      type: 'array',
      items: { type: 'string', minLength: 1, maxLength: 200 },
      minItems: 1,
      maxItems: 50,
    },
    { about: 'A description of each piece.', example: ['necklace', 'two bangles'] },
  )
  @IsArray({ message: 'must be a list of 1 to 50 descriptions' })
  @ArrayMinSize(1, { message: 'must be a list of 1 to 50 descriptions' })
  @ArrayMaxSize(50, { message: 'must be a list of 1 to 50 descriptions' })
  @TextListItems()
  jewellaryList: string[];

  @GramsField({
    about:
      'The gold’s weight in grams, as decimal text above zero, with at most 7 digits before the point and ' +
      `4 after it. Ornaments: at most 1,000 g (${SOURCE}), or less if the operator has set less.`,
    example: '42.5',
  })
  grams: string;

  @GramsField({
    optional: true,
    about: `The coins’ part of \`grams\`, if known: at most 50 g (${SOURCE}). It is validated and not stored.`,
    example: '8',
  })
  coinGrams?: string;
}

/** The most that a lender accepts from one borrower. */
export interface GoldLimits {
  readonly goldOrnamentGrams: number;
  readonly goldCoinGrams: number;
}

/** Coins are checked only if the partner states them. */
export function goldProblems(
  { grams, coinGrams = '0' }: GoldLoanDetails,
  { goldOrnamentGrams, goldCoinGrams }: GoldLimits,
): FieldProblem[] {
  const [all, coins] = [grams, coinGrams].map(tenThousandths);
  const problems: FieldProblem[] = [];
  if (coins > all) problems.push({ field: 'coinGrams', message: 'must be at most grams' });
  if (coins > tenThousandths(String(goldCoinGrams))) {
    problems.push({ field: 'coinGrams', message: mostOf(goldCoinGrams, 'coins') });
  } else if (all - coins > tenThousandths(String(goldOrnamentGrams))) {
    problems.push({ field: 'grams', message: mostOf(goldOrnamentGrams, 'ornaments') });
  }
  return problems;
}

function mostOf(grams: number, what: string): string {
  return `must be at most ${grams.toLocaleString('en-IN')} g of ${what} for one borrower (${SOURCE})`;
}

function tenThousandths(grams: string): number {
  const [whole, fraction = ''] = grams.split('.');
  return Number(whole + fraction.padEnd(4, '0'));
}

function TextListItems(): PropertyDecorator {
  const message = `must have descriptions of 1 to 200 characters ${PLAIN_TEXT_RULE}`;
  const isText = (item: unknown) => isPlainText(item);
  const tidy = (item: unknown) => (typeof item === 'string' ? withoutInvisible(item).trim() : item);
  return applyDecorators(
    Transform(({ value }: { value: unknown }) => (Array.isArray(value) ? value.map(tidy) : value)),
    // `IsArray` refuses values that are not lists.
    Rule('textItems', (value) => !Array.isArray(value) || value.every(isText), message),
  );
}
