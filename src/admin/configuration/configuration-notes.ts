import type { Configuration } from './configuration.js';
import type { Deployment } from './deployment.js';
import { gatewayNotes } from './gateways-of.js';
import { missingTexts } from './own-text.js';
import { soundItems } from './placed.js';
import { settingsNotes } from './settings-of.js';
import { textsOfLender, textsOfProduct } from './texts-of.js';

/** What is right in a file, and asked about all the same: it is seldom meant. */
export function configurationNotes(file: Configuration, deployment: Deployment): string[] {
  return [
    ...settingsNotes(file.settings, deployment.mode),
    ...gatewayNotes(file, deployment),
    ...textNotes(file),
    ...mailNotes(file, deployment),
  ];
}

/** Whose alerts are sent by nobody. */
function mailNotes({ partners }: Configuration, { mail }: Deployment): string[] {
  if (mail) return [];
  const ids = partners.filter(({ alertEmails }) => alertEmails?.length).map(({ id }) => id);
  return ids.length === 0
    ? []
    : [`alertEmails of ${ids.join(', ')} get nothing: SMTP_URL is not set, so no e-mail is sent`];
}

/** Which texts applicants read in English though their page is in another language. */
function textNotes({ products, lenders }: Configuration): string[] {
  const texts = [
    ...soundItems(products, 'products', []).flatMap(textsOfProduct),
    ...soundItems(lenders, 'lenders', []).flatMap(textsOfLender),
  ];
  return [...missingTexts(texts)].flatMap(([language, paths]) =>
    paths.length === 0
      ? []
      : [`applicants read the English of what has no text in ${language}: ${paths.join(', ')}`],
  );
}
