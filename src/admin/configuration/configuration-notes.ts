import type { Configuration, Deployment } from './configuration.js';
import { gatewayNotes } from './gateways-of.js';
import { missingTexts } from './own-text.js';
import { soundItems } from './placed.js';
import { settingsNotes } from './settings-of.js';
import { textsOfLender } from './lender-section.js';
import { textsOfProduct } from './product-section.js';

/** What is valid in a file, but probably not intended. */
export function configurationNotes(file: Configuration, deployment: Deployment): string[] {
  return [
    ...settingsNotes(file.settings, deployment.mode),
    ...gatewayNotes(file, deployment),
    ...textNotes(file),
    ...mailNotes(file, deployment),
  ];
}

export function sameVersionNotes(version: number, versionInForce: number): string[] {
  return version === versionInForce
    ? [`version ${version} is in force with other contents: raise version with every change`]
    : [];
}

/** As far as this process can see. */
function mailNotes({ partners }: Configuration, { mail }: Deployment): string[] {
  if (mail) return [];
  const ids = partners.filter(({ alertEmails }) => alertEmails?.length).map(({ id }) => id);
  return ids.length === 0
    ? []
    : [
        `alertEmails of ${ids.join(', ')} get nothing if the service runs without SMTP_URL, as this command does`,
      ];
}

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
