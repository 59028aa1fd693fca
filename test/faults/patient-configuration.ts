import { configurationWith, type TestConfiguration } from '../support/configuration-with.ts';

/** Longer than a run takes on a slow machine: with the demonstration's 120 seconds, a late offer looks lost. */
const LENDER_DEADLINE_SECONDS = 900;

/** The demonstration's configuration, under which every lender's offer arrives before the deadline. */
export function patientConfiguration(sections: Record<string, unknown> = {}): TestConfiguration {
  return configurationWith((own) => {
    const settings = own['settings'] as Record<string, unknown>;
    return {
      ...sections,
      settings: { ...settings, lenderDeadlineSeconds: LENDER_DEADLINE_SECONDS },
    };
  });
}
