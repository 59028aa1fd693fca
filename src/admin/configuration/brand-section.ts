import { choice, LANGUAGES } from '../../platform/index.js';
import { email, pattern, section, text } from './fields.js';
import { BRAND_LOGO_LIMITS, logo } from './read-logo.js';

export const contact = section({ phone: text(), email });

export const namedContact = section({ name: text(), ...contact.shape });

/** @param file the logo path is relative to it */
export const brand = (file: string) =>
  section({
    slug: pattern(
      /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/,
      'must be lower-case letters and digits, separated by single hyphens',
    ),
    displayName: text(),
    support: contact,
    grievance: namedContact,
    accentColour: pattern(/^#[0-9a-f]{6}$/i, 'must be a colour such as "#0b5fa5"'),
    /** For applicants of unknown language; default: English. */
    smsLanguage: choice(LANGUAGES).optional(),
    logo: logo(file, BRAND_LOGO_LIMITS)
      .transform(({ width, height, bytes }) => ({
        base64: bytes.toString('base64'),
        aspectRatio: Math.round((width / height) * 1000) / 1000,
      }))
      .optional(),
  });
