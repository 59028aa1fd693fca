import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../support/needed-process.ts';

export const LENDER = 'navdhara';
/** The host of the lender's pages for applicants. */
export const LENDER_PAGES = 'pages.navdhara.example';
const PLACE = /\$\{env:FILL_IN_(\w+)\}/g;
const EXAMPLE = /^# (lenders|partners):\n(?:#.*\n)+/gm;
const FIRST_PRODUCTS =
  /(code: (?:ONLINE_PERSONAL|ONLINE_INSTANT)\n(?: {4}.*\n)*? {4}enabled: )false/g;

export interface Addresses {
  readonly lender: string;
  readonly smsGateway: string;
  readonly razorpay: string;
}

function textsOf({ lender, smsGateway }: Addresses): Record<string, string> {
  return {
    SLUG: 'trial',
    DISPLAY_NAME: 'Trial',
    SUPPORT_PHONE: '1800 000 1500',
    SUPPORT_EMAIL: 'help@trial.example',
    GRIEVANCE_OFFICER: 'Meera Nair',
    GRIEVANCE_PHONE: '1800 000 1501',
    GRIEVANCE_EMAIL: 'grievance@trial.example',
    DLT_ENTITY_ID: '1101234567890123456',
    DLT_SENDER_ID: 'TRIALL',
    DLT_HOSTED_LINK: '1107000000000000001',
    DLT_HOSTED_LINK_HI: '1107000000000000002',
    DLT_ONE_TIME_CODE: '1107000000000000003',
    DLT_ONE_TIME_CODE_HI: '1107000000000000004',
    DLT_APPLICATION_LINK: '1107000000000000005',
    DLT_APPLICATION_LINK_HI: '1107000000000000006',
    DLT_REFUND_MADE: '1107000000000000007',
    DLT_REFUND_MADE_HI: '1107000000000000008',
    SMS_COMPANY: 'Trial Messaging Private Limited',
    SMS_GATEWAY_URL: `${smsGateway}/v2/send`,
    LENDER_CODE: LENDER,
    LENDER_LEGAL_NAME: 'Navdhara Capital Limited',
    LENDER_ADDRESS: `${lender}/${LENDER}`,
    LENDER_JWKS: `${lender}/${LENDER}/jwks.json`,
    KYC_PROVIDER: 'Navdhara Capital Limited',
    KYC_HOST: LENDER_PAGES,
    MANDATE_PROVIDER: 'Navdhara Capital Limited',
    MANDATE_HOST: LENDER_PAGES,
    ESIGN_PROVIDER: 'Navdhara Capital Limited',
    ESIGN_HOST: LENDER_PAGES,
    LENDER_GRIEVANCE_OFFICER: 'Sharmila Deshpande',
    LENDER_GRIEVANCE_PHONE: '1800 000 1401',
    LENDER_GRIEVANCE_EMAIL: 'grievance@navdhara.example',
  };
}

export function template(): string {
  return readFileSync(join(ROOT, 'config/production.yaml'), 'utf8');
}

/** The template with its examples of a lender and of a partner, filled in. */
export function filledIn(addresses: Addresses): string {
  const texts = textsOf(addresses);
  return (
    template()
      .replaceAll(/^(?:lenders|partners): \[\]\n/gm, '')
      .replaceAll(EXAMPLE, (example) => example.replaceAll(/^# ?/gm, ''))
      // The lender requires a client certificate.
      .replaceAll(/^( {4}) {2}# (tls:|  (?:certificate|privateKey): .*)$/gm, '$1  $2')
      .replaceAll(PLACE, (place, name: string) => texts[name] ?? place)
      .replaceAll(/^( +)webhookSecret: .*$/gm, `$&\n$1apiBaseUrl: ${addresses.razorpay}`)
  );
}

/** The next version, with the lender's two products switched on. */
export function switchedOn(configuration: string): string {
  return configuration.replace('version: 1\n', 'version: 2\n').replaceAll(FIRST_PRODUCTS, '$1true');
}
