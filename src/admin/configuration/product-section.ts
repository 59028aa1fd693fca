import {
  BooleanField,
  ChoiceField,
  PatternField,
  RupeesField,
  TextField,
} from '../../platform/index.js';
import { type OwnText, OwnTextField, type PlacedText } from './own-text.js';
import type { Placed } from './placed.js';
import { WordsField } from './fields.js';
import { JOURNEY_STEPS, type JourneyStep } from '../../journey-steps/index.js';

const CODE = /^[A-Z][A-Z0-9_]{1,59}$/;

/** Amounts in rupees. */
export class ProductSection {
  @PatternField(CODE, 'must be capital letters, digits and underscores')
  code: string;

  /** Partners get the English. */
  @OwnTextField()
  displayName: OwnText;

  @TextField()
  category: string;

  @ChoiceField(['ONLINE', 'OFFLINE'])
  channel: 'ONLINE' | 'OFFLINE';

  @TextField()
  provider: string;

  @TextField()
  icon: string;

  /** Left out: true. */
  @BooleanField({ optional: true })
  enabled?: boolean;

  @WordsField({ of: JOURNEY_STEPS, optional: true })
  steps?: JourneyStep[];

  @RupeesField()
  minimumAmount: number;

  @RupeesField()
  maximumAmount: number;

  @RupeesField()
  defaultAmount: number;
}

export function textsOfProduct({ path, section }: Placed<ProductSection>): PlacedText[] {
  return [{ path: `${path}.displayName`, text: section.displayName }];
}
