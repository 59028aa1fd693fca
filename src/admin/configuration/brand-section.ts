import {
  type BrandLogo,
  ChoiceField,
  EmailField,
  type Language,
  LANGUAGES,
  PatternField,
  TextField,
} from '../../platform/index.js';
import type { Brand } from '../../settings/index.js';
import { PartField } from './fields.js';
import type { LogoImage } from './read-logo.js';

const SLUG = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;
const SLUG_MESSAGE = 'must be lower-case letters and digits, parted by single hyphens';

export class ContactSection {
  @TextField()
  phone: string;

  @EmailField()
  email: string;
}

export class NamedContactSection extends ContactSection {
  @TextField()
  name: string;
}

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

  /** For applicants whose language is unknown; left out: English. */
  @ChoiceField(LANGUAGES, { optional: true })
  smsLanguage?: Language;

  /** A PNG, relative to this file's folder. */
  @TextField({ optional: true })
  logo?: string;

  /** Set when the file is read. */
  declare logoImage?: LogoImage;
}

export function brandOf({
  slug,
  displayName,
  support,
  grievance,
  accentColour,
  smsLanguage,
  logoImage,
}: BrandSection): Brand {
  return {
    slug,
    displayName,
    support: { phone: support.phone, email: support.email },
    grievance: { name: grievance.name, phone: grievance.phone, email: grievance.email },
    accentColour,
    ...(smsLanguage && { smsLanguage }),
    ...(logoImage && { logo: brandLogoOf(logoImage) }),
  };
}

function brandLogoOf({ width, height, bytes }: LogoImage): BrandLogo {
  const aspectRatio = Math.round((width / height) * 1000) / 1000;
  return { base64: bytes.toString('base64'), aspectRatio };
}
