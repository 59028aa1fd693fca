import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { ArrayMaxSize, ArrayMinSize, IsArray } from 'class-validator';
import {
  DescribedField,
  isPlainText,
  PatternField,
  PLAIN_TEXT_RULE,
  Rule,
  withoutInvisible,
} from '../../platform/index.js';

const GRAMS_PROBLEM =
  'must be a weight in grams above zero, with at most 7 digits before the point and 4 after it';

/** A decimal number above zero, as text. */
const GramsField = () =>
  applyDecorators(
    PatternField(/^\d{1,7}(\.\d{1,4})?$/, GRAMS_PROBLEM, {
      about:
        'The gold’s weight in grams, as decimal text above zero, with at most 7 digits before the ' +
        'point and 4 after it.',
      example: '42.5',
    }),
    Rule('aboveZero', (value) => typeof value === 'string' && Number(value) > 0, GRAMS_PROBLEM),
  );

/** The gold, its list spelt as the contract spells it. */
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

  @GramsField()
  grams: string;
}

function TextListItems(): PropertyDecorator {
  const message = `must hold descriptions of 1 to 200 characters ${PLAIN_TEXT_RULE}`;
  const isText = (item: unknown) => isPlainText(item);
  const tidy = (item: unknown) => (typeof item === 'string' ? withoutInvisible(item).trim() : item);
  return applyDecorators(
    Transform(({ value }: { value: unknown }) => (Array.isArray(value) ? value.map(tidy) : value)),
    // What is not a list at all is refused as such, by the rule that says so.
    Rule('textItems', (value) => !Array.isArray(value) || value.every(isText), message),
  );
}
