import { LANGUAGES } from '../../platform/index.js';
import { type Configuration, fieldOf } from './configuration.js';
import type { Deployment } from './fields.js';
import { textsIn } from './own-text.js';
import { settingsNotes } from './settings-section.js';

const NO_COMPANY =
  'sms.company is not set: applicants do not see which company gets their mobile number';

/** Valid, but probably unintended. */
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
    ? [
        `version ${version} was already in force with other contents; raise version with every change`,
      ]
    : [];
}

/** Judges by this process's environment; the service may have another one. */
function mailNotes({ partners }: Configuration, { mail }: Deployment): string[] {
  if (mail) return [];
  const ids = partners.filter(({ alertEmails }) => alertEmails.length).map(({ id }) => id);
  return ids.length === 0
    ? []
    : [
        `alertEmails of ${ids.join(', ')} get no mail if the service, like this command, runs without SMTP_URL`,
      ];
}

/** Stand-ins in production may be for a rehearsal. */
export function gatewayNotes(
  { sms, payment, lenders }: Pick<Configuration, 'sms' | 'payment' | 'lenders'>,
  { mode }: Pick<Deployment, 'mode'>,
): string[] {
  if (mode !== 'production') return [];
  const gateways = [
    ['sms.twilio', sms.gateway, 'Twilio'],
    ['payment.razorpay', payment, 'Razorpay'],
    ...lenders.map(
      (lender, index) =>
        [`lenders[${index}].payment.razorpay`, lender.payment, 'Razorpay'] as const,
    ),
  ] as const;
  return [
    ...gateways.flatMap(([path, gateway, name]) =>
      gateway && 'apiBaseUrl' in gateway
        ? [`${path}.apiBaseUrl is set: requests go to ${gateway.apiBaseUrl}, not to ${name}`]
        : [],
    ),
    ...(sms.gateway.kind === 'http' && !sms.company ? [NO_COMPANY] : []),
  ];
}

function textNotes({ products, lenders }: Configuration): string[] {
  const texts = textsIn({ products, lenders });
  return LANGUAGES.filter((language) => language !== 'en').flatMap((language) => {
    const missing = texts.filter(({ text }) => text.others[language] === undefined);
    const paths = missing.map(({ path }) => fieldOf(path)).join(', ');
    return missing.length === 0
      ? []
      : [`applicants see the English text where ${language} is missing: ${paths}`];
  });
}
