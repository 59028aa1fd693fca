import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { TextField } from '../platform/index.js';

const LINE_BREAKS = /[\r\n\v\f\u0085\u2028\u2029]+/;

export class AddressAndWork {
  @TextField({ optional: true, about: 'Employer or own business.', example: 'Verma Textiles' })
  companyName?: string;

  @TextField({ optional: true, example: 'Bengaluru' })
  city?: string;

  @TextField({ optional: true, example: 'Karnataka' })
  state?: string;

  @AddressLine('First line of the address.', '12 Residency Road')
  addressL1?: string;

  @AddressLine('Second line of the address.', 'Ashok Nagar')
  addressL2?: string;
}

function AddressLine(about: string, example: string): PropertyDecorator {
  return applyDecorators(
    TextField({ optional: true, about: `${about} A line break becomes a space.`, example }),
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' && LINE_BREAKS.test(value) ? onOneLine(value) : value,
    ),
  );
}

/** In linear time: it runs before the rule of the length. */
function onOneLine(text: string): string {
  const lines = text.split(LINE_BREAKS).map((line) => line.trim());
  return lines.filter((line) => line !== '').join(' ');
}
