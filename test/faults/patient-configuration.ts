import { configurationWith, type TestConfiguration } from '../support/configuration-with.ts';

/** Longer than a run on a slow machine. With the demonstration's 120 seconds, a late offer would look lost. */
const LENDER_DEADLINE_SECONDS = 900;

/** The demonstration's configuration with a long deadline, so that every lender's offer arrives in time. */
export function patientConfiguration(sections: Record<string, unknown> = {}): TestConfiguration {
  return configurationWith((own) => {
    const settings = own['settings'] as Record<string, unknown>;
    return {
      ...sections,
      settings: { ...settings, lenderDeadlineSeconds: LENDER_DEADLINE_SECONDS },
    };
  });
}
