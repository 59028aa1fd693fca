import { Transform, Type } from 'class-transformer';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsObject, ValidateNested } from 'class-validator';
import { applyDecorators } from '@nestjs/common';
import {
  DescribedField,
  isPlainText,
  PatternField,
  Rule,
  TextField,
} from '../../platform/index.js';

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;

export const MobileField = () =>
  PatternField(/^[6-9]\d{9}$/, 'must be a mobile number of 10 digits that starts with 6 to 9', {
    about: 'The applicant’s mobile number, ten digits without a country code.',
    example: '9876543210',
  });

export const PanField = () =>
  PatternField(
    /^[A-Z]{5}[0-9]{4}[A-Z]{1}$/,
    'must be a PAN: five capital letters, four digits, one capital letter',
    { about: 'The applicant’s Permanent Account Number.', example: 'ABCDE1234F' },
  );

export const PinCodeField = () =>
  PatternField(/^\d{6}$/, 'must be a PIN code of 6 digits', {
    about: 'The PIN code of the applicant’s address.',
    example: '560001',
  });

/** A date that exists, as YYYY-MM-DD; whether the person is of age is judged with the clock. */
export const BirthDateField = () =>
  applyDecorators(
    PatternField(DATE, 'must be a date of birth as YYYY-MM-DD', {
      about: 'Date of birth, YYYY-MM-DD; the applicant must be 18 or older.',
      example: '1990-04-15',
    }),
    Rule('realDate', isRealDate, 'must be a date that exists, as YYYY-MM-DD'),
  );

function isRealDate(value: unknown): boolean {
  const match = typeof value === 'string' ? DATE.exec(value) : null;
  if (!match) return false;
  const [year, month, day] = match.slice(1).map(Number) as [number, number, number];
  const date = new Date(Date.UTC(year, month - 1, day));
  return year >= 1900 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

/** An object held against a class of its own. */
export const NestedField = (shape: new () => object, message: string) =>
  applyDecorators(
    DescribedField({ type: () => shape }),
    IsObject({ message }),
    ValidateNested({ message }),
    Type(() => shape),
  );

/** A decimal number above zero, as text. */
export const GramsField = () =>
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

/** The optional lines that both variants share. */
export class AddressAndWork {
  @TextField({ optional: true, about: 'Employer or own business.', example: 'Verma Textiles' })
  companyName?: string;

  @TextField({ optional: true, example: 'Bengaluru' })
  city?: string;

  @TextField({ optional: true, example: 'Karnataka' })
  state?: string;

  @TextField({ optional: true, about: 'First line of the address.', example: '12 Residency Road' })
  addressL1?: string;

  @TextField({ optional: true, about: 'Second line of the address.', example: 'Ashok Nagar' })
  addressL2?: string;
}
