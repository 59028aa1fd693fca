import {
  ChoiceField,
  type Language,
  LANGUAGES,
  PatternField,
  TextField,
} from '../../platform/index.js';
import { ContactSection, NamedContactSection } from './contact-section.js';
import { PartField } from './part-fields.js';
import type { LogoImage } from './read-logo.js';

const SLUG = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;
const SLUG_MESSAGE = 'must be lower-case letters and digits, parted by single hyphens';

/** Under whose name the service is run. */
export class BrandSection {
  @PatternField(SLUG, SLUG_MESSAGE)
  slug: string;

  @TextField()
  displayName: string;

  @PartField(ContactSection)
  support: ContactSection;

  @PartField(NamedContactSection)
  grievance: NamedContactSection;

  @PatternField(/^#[0-9a-f]{6}$/i, 'must be a colour such as "#0b5fa5"')
  accentColour: string;

  /** Of text messages to applicants whose language nobody has told; left out: English. */
  @ChoiceField(LANGUAGES, { optional: true })
  smsLanguage?: Language;

  /** A PNG, by its path from this file's folder. */
  @TextField({ optional: true })
  logo?: string;

  /** What the path led to; put here when the file is read, never written in it. */
  declare logoImage?: LogoImage;
}
