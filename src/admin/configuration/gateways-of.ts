import { FEE } from '../../journey-steps/index.js';
import { addressProblem, type FieldProblem, isPrivateHost } from '../../platform/index.js';
import type { Deployment } from './configuration.js';
import type { PaymentSection } from './payment-section.js';
import type { ProductSection } from './product-section.js';
import type { SettingsSection } from './settings-section.js';
import type { HttpGatewaySection, SmsSection } from './sms-section.js';
import {
  type GatewaySettings,
  INSTANT_PRODUCT,
  namesTemplate,
  type PaymentSettings,
  type SmsGatewaySettings,
  type SmsKind,
  type SmsSettings,
} from '../../settings/index.js';
import { mistake } from './placed.js';

const REQUIRED = 'is required here';
const SIMULATED = 'must be a real gateway in production';
const NO_STAND_IN =
  'must be left out in production, or be https and a number in a network that PRIVATE_NETWORKS names';
const NO_COMPANY =
  'sms.company is left out: applicants do not read which firm gets their mobile number';

const OF_INSTANT_LOANS: readonly SmsKind[] = ['APPLICATION_LINK', 'REFUND_MADE'];
const OF_JOURNEYS: readonly SmsKind[] = ['HOSTED_LINK', 'ONE_TIME_CODE'];

interface GatewaySections {
  readonly sms?: SmsSection;
  readonly payment?: PaymentSection;
  /** With payment accounts of their own. */
  readonly lenders?: readonly { readonly payment?: PaymentSection }[];
}

/** The gateways in force; simulated where the file names none. */
export function gatewaysOf({ sms, payment }: GatewaySections): GatewaySettings {
  return { sms: smsOf(sms), payment: paymentOf(payment) };
}

function smsOf(section: SmsSection | undefined): SmsSettings {
  const dlt = section?.dlt;
  return {
    gateway: smsGatewayOf(section),
    dlt: dlt ? { entityId: dlt.entityId, senderId: dlt.senderId } : null,
    templateIds: { ...section?.templateIds },
    ...(section?.company && { company: section.company }),
  };
}

function smsGatewayOf(section: SmsSection | undefined): SmsGatewaySettings {
  if (section?.gateway === 'twilio' && section.twilio) {
    const { accountSid, authToken, from, apiBaseUrl } = section.twilio;
    return { kind: 'twilio', accountSid, authToken, from, ...(apiBaseUrl && { apiBaseUrl }) };
  }
  if (section?.gateway === 'http' && section.http) return httpGatewayOf(section.http);
  return { kind: 'inbox' };
}

function httpGatewayOf(section: HttpGatewaySection): SmsGatewaySettings {
  return {
    kind: 'http',
    method: section.method,
    url: section.url,
    headers: { ...section.headers },
    body: section.body ?? null,
    acceptedPattern: section.acceptedPattern ?? null,
    messageIdPath: section.messageIdPath ?? null,
  };
}

export function paymentOf(section: PaymentSection | undefined): PaymentSettings {
  if (section?.gateway !== 'razorpay' || !section.razorpay) return { kind: 'sandbox' };
  const { keyId, keySecret, webhookSecret, pageHost, apiBaseUrl } = section.razorpay;
  return {
    kind: 'razorpay',
    keyId,
    keySecret,
    webhookSecret,
    ...(pageHost && { pageHost }),
    ...(apiBaseUrl && { apiBaseUrl }),
  };
}

export function gatewayMistakes(
  sections: GatewaySections,
  found: readonly FieldProblem[],
  deployment: Deployment,
): FieldProblem[] {
  const isSound = (name: string) => !found.some(({ field }) => field.startsWith(name));
  return [
    ...(isSound('sms') ? smsMistakes(sections.sms, deployment) : []),
    ...(isSound('payment') ? paymentMistakes(sections.payment, deployment) : []),
  ];
}

function smsMistakes(section: SmsSection | undefined, deployment: Deployment): FieldProblem[] {
  const isProduction = deployment.mode === 'production';
  if (!section) return isProduction ? mistake('sms', REQUIRED) : [];
  if (section.gateway === 'inbox') return isProduction ? mistake('sms.gateway', SIMULATED) : [];
  if (!section[section.gateway]) return mistake(`sms.${section.gateway}`, REQUIRED);
  const problem = section.http && addressProblem(filledIn(section.http.url), deployment);
  return [
    ...standInMistakes('sms.twilio.apiBaseUrl', section.twilio?.apiBaseUrl, deployment),
    ...mistake('sms.http.url', problem),
  ];
}

function filledIn(template: string): string {
  return new URL(template.replaceAll(/\{\{.*?\}\}/g, 'x')).href;
}

/** @param path of the section: the operator's, or a lender's */
export function paymentMistakes(
  section: PaymentSection | undefined,
  deployment: Deployment,
  path = 'payment',
): FieldProblem[] {
  const isProduction = deployment.mode === 'production';
  if (!section) return isProduction ? mistake(path, REQUIRED) : [];
  if (section.gateway === 'sandbox')
    return isProduction ? mistake(`${path}.gateway`, SIMULATED) : [];
  if (!section.razorpay) return mistake(`${path}.razorpay`, REQUIRED);
  const { keyId, apiBaseUrl } = section.razorpay;
  // A test key takes no money, and a live key would charge for sandbox loans.
  const prefix = isProduction ? 'rzp_live_' : 'rzp_test_';
  return [
    ...(keyId.startsWith(prefix)
      ? []
      : mistake(`${path}.razorpay.keyId`, `must be a key of this mode: ${prefix}…`)),
    ...standInMistakes(`${path}.razorpay.apiBaseUrl`, apiBaseUrl, deployment),
  ];
}

/**
 * Operators drop texts without a DLT id. Hindi needs none: it is sent in English, and a milestone
 * not at all.
 */
export function templateIdMistakes(
  sms: SmsSection | undefined,
  products: readonly ProductSection[],
  settings: SettingsSection | undefined,
): FieldProblem[] {
  if (sms?.gateway !== 'http' || !sms.http || !sms.dlt || !namesTemplate(sms.http)) return [];
  const { templateIds } = sms;
  const taken = products.filter(
    ({ channel, enabled }) => channel === 'ONLINE' && (enabled ?? true),
  );
  const isInstant = ({ code }: ProductSection) => code === INSTANT_PRODUCT;
  const hasFee = ({ steps }: ProductSection) => steps?.includes(FEE.name) ?? false;
  const kinds = [
    ...(taken.some((product) => !isInstant(product))
      ? [...OF_JOURNEYS, ...(settings?.milestoneTexts ?? [])]
      : []),
    ...(taken.some(isInstant) ? OF_INSTANT_LOANS : []),
    ...(!taken.some(isInstant) && taken.some(hasFee) ? (['REFUND_MADE'] as const) : []),
  ];
  const message = 'is required here: the gateway is told the DLT id of each text';
  return kinds
    .filter((kind) => templateIds?.[kind] === undefined)
    .map((kind) => ({ field: `sms.templateIds.${kind}`, message }));
}

/** In production no other host may stand in for a gateway: it reports who has paid. */
function standInMistakes(
  field: string,
  address: string | undefined,
  deployment: Deployment,
): FieldProblem[] {
  if (address === undefined) return [];
  const problem = addressProblem(address, deployment);
  if (deployment.mode !== 'production') return mistake(field, problem);
  const isOwn = !problem && isPrivateHost(new URL(address).hostname, deployment.privateNetworks);
  return isOwn ? [] : mistake(field, NO_STAND_IN);
}

/** Stand-ins in production may be meant for a rehearsal. */
export function gatewayNotes(
  { sms, payment, lenders = [] }: GatewaySections,
  { mode }: Deployment,
): string[] {
  if (mode !== 'production') return [];
  const accounts = [
    { path: 'payment', section: payment },
    ...lenders.map((lender, index) => ({
      path: `lenders[${index}].payment`,
      section: lender.payment,
    })),
  ];
  const standIns = [
    ['sms.twilio.apiBaseUrl', sms?.twilio?.apiBaseUrl, 'Twilio'],
    ...accounts.map(
      ({ path, section }) =>
        [`${path}.razorpay.apiBaseUrl`, section?.razorpay?.apiBaseUrl, 'Razorpay'] as const,
    ),
  ] as const;
  return [
    ...standIns.flatMap(([field, address, gateway]) =>
      address === undefined ? [] : [`${field} is set: not ${gateway} is asked, but ${address}`],
    ),
    ...(sms?.gateway === 'http' && !sms.company ? [NO_COMPANY] : []),
  ];
}
