import type { HostedOffer } from '../../journeys/index.js';
import { type Language, translate } from '../../platform/index.js';
import type { LenderKind } from '../../settings/index.js';

type Terms = Pick<HostedOffer['terms'], 'lenderKind' | 'lenderRegistration' | 'recoveryAgentLsp'>;

const KIND_KEYS: Readonly<Record<LenderKind, string>> = {
  BANK: 'steps.lender.bank',
  SMALL_FINANCE_BANK: 'steps.lender.smallFinanceBank',
  REGIONAL_RURAL_BANK: 'steps.lender.regionalRuralBank',
  COOPERATIVE_BANK: 'steps.lender.cooperativeBank',
  NBFC: 'steps.lender.nbfc',
  NBFC_MFI: 'steps.lender.nbfcMfi',
  HOUSING_FINANCE_COMPANY: 'steps.lender.housingFinanceCompany',
};

/** What the lender is, and under which number it is registered; empty where the configuration does not say. */
export function lenderIdentity(
  { lenderKind, lenderRegistration }: Pick<Terms, 'lenderKind' | 'lenderRegistration'>,
  language: Language,
): string {
  const kind = lenderKind && translate(language, KIND_KEYS[lenderKind]);
  const registered =
    lenderRegistration &&
    translate(language, 'steps.lender.registration', { number: lenderRegistration });
  return [kind, registered].filter(Boolean).join(', ');
}

/** That an agent lends nothing, and who is paid; left out where there is none. */
export function recoveryNote(
  { recoveryAgentLsp: agent }: Pick<Terms, 'recoveryAgentLsp'>,
  lender: string,
  language: Language,
): string | undefined {
  return agent === null
    ? undefined
    : translate(language, 'steps.lender.agent.note', { agent, lender });
}

/** Who may approach a borrower who does not pay: told before the choice. */
export function recoveryAgent(
  { recoveryAgentLsp }: Pick<Terms, 'recoveryAgentLsp'>,
  language: Language,
): string {
  return recoveryAgentLsp === null
    ? translate(language, 'steps.lender.recovers')
    : translate(language, 'steps.lender.agent', { agent: recoveryAgentLsp });
}
