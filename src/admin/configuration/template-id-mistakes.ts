import { namesTemplate, type SmsKind } from '../../settings/index.js';
import type { FieldProblem } from '../../platform/index.js';
import type { ProductSection } from './product-section.js';
import type { SettingsSection } from './settings-section.js';
import type { SmsSection } from './sms-section.js';

const INSTANT_PRODUCT = 'ONLINE_INSTANT';
const OF_INSTANT_LOANS: readonly SmsKind[] = ['APPLICATION_LINK', 'REFUND_MADE'];
const OF_JOURNEYS: readonly SmsKind[] = ['HOSTED_LINK', 'ONE_TIME_CODE'];

/**
 * The texts that the products send without a DLT id, where the gateway is told one: operators drop
 * them. Hindi needs none: it is sent in English then, and of a milestone not at all.
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
  const kinds = [
    ...(taken.some((product) => !isInstant(product))
      ? [...OF_JOURNEYS, ...(settings?.milestoneTexts ?? [])]
      : []),
    ...(taken.some(isInstant) ? OF_INSTANT_LOANS : []),
  ];
  const message = 'is required here: the gateway is told the DLT id of each text';
  return kinds
    .filter((kind) => templateIds?.[kind] === undefined)
    .map((kind) => ({ field: `sms.templateIds.${kind}`, message }));
}
