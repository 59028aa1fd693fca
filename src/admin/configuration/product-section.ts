import {
  BooleanField,
  ChoiceField,
  PatternField,
  RupeesField,
  TextField,
} from '../../platform/index.js';
import { type OwnText, OwnTextField } from './own-text.js';
import { WordsField } from './part-fields.js';
import { JOURNEY_STEPS, type JourneyStep } from '../../journey-steps/index.js';

const CODE = /^[A-Z][A-Z0-9_]{1,59}$/;

/** A product; amounts in rupees. */
export class ProductSection {
  @PatternField(CODE, 'must be capital letters, digits and underscores')
  code: string;

  /** Partners are told the English. */
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

  /** Left out: on. */
  @BooleanField({ optional: true })
  enabled?: boolean;

  /** Left out: none. */
  @WordsField({ of: JOURNEY_STEPS, optional: true })
  steps?: JourneyStep[];

  @RupeesField()
  minimumAmount: number;

  @RupeesField()
  maximumAmount: number;

  @RupeesField()
  defaultAmount: number;
}
