import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { ArrayMaxSize, ArrayMinSize, IsArray } from 'class-validator';
import { DescribedField, isPlainText, PatternField, Rule } from '../../platform/index.js';

/** A decimal number above zero, as text. */
const GramsField = () =>
  applyDecorators(
    PatternField(/^\d{1,7}(\.\d{1,4})?$/, 'must be a weight in grams, as decimal text above zero', {
      about: 'The gold’s weight in grams, as decimal text above zero.',
      example: '42.5',
    }),
    Rule(
      'aboveZero',
      (value) => typeof value === 'string' && Number(value) > 0,
      'must be a weight in grams, as decimal text above zero',
    ),
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
  const message = 'must hold descriptions of 1 to 200 characters without control characters';
  const isText = (item: unknown) => isPlainText(item);
  const tidy = (item: unknown) => (typeof item === 'string' ? item.trim() : item);
  return applyDecorators(
    Transform(({ value }: { value: unknown }) => (Array.isArray(value) ? value.map(tidy) : value)),
    // What is no list at all is refused as such, by the rule that says so.
    Rule('textItems', (value) => !Array.isArray(value) || value.every(isText), message),
  );
}
