import type { Mutant } from './mutant.ts';

const MILESTONES = 'src/journeys/domain/milestones.ts';
const STORE = 'src/journeys/store/milestones.repository.ts';
const TEXTS = 'src/journeys/background/milestone-texts.ts';
const TOLD = ['test/e2e/journeys/milestones.spec.ts'];
const LINKS = ['test/e2e/hosted-entry/links.spec.ts'];

/** What applicants are told by SMS as it happens, and the link that the text brings. */
export const MILESTONES_TOLD: readonly Mutant[] = [
  {
    id: 'milestone-told-again',
    rule: 'A milestone that was told is not told again',
    file: STORE,
    find: "\n  WHERE m.outcome IS DISTINCT FROM 'TOLD'\n",
    replace: '\n',
    specs: TOLD,
    only: 'is not told again of offers',
  },
  {
    id: 'milestone-told-by-two',
    rule: 'Of two replicas that found the same milestone one tells it',
    file: STORE,
    find: 'WHERE journey_id = $1 AND milestone = $2 AND settled_at IS NULL AND due_at <= app_now()',
    replace: 'WHERE journey_id = $1 AND milestone = $2',
    specs: TOLD,
    only: 'is told once by two replicas',
  },
  {
    id: 'milestone-after-an-end',
    rule: 'Nothing is told that the journey has left behind, an end among it',
    file: TEXTS,
    find: 'if (isOver || journey.state !== state) return',
    replace: 'if (isOver || (!state && journey.state !== state)) return',
    specs: TOLD,
    only: 'of offers when the journey was abandoned before',
  },
  {
    id: 'milestone-too-late',
    rule: 'Nobody is reminded at night, or when it is too late',
    file: TEXTS,
    find: 'if (isOver || journey.state !== state) return',
    replace: 'if ((isOver && !state) || journey.state !== state) return',
    specs: TOLD,
    only: 'is not reminded in the evening',
  },
  {
    id: 'milestone-text-not-taken-back',
    rule: 'A text that waits is taken back when the journey goes on',
    file: MILESTONES,
    find: 'await this.sms.withdraw(tx, ids, others);',
    replace: 'await this.sms.withdraw(tx, [], others);',
    specs: TOLD,
    only: 'is taken back',
  },
  {
    id: 'milestone-to-a-headless-applicant',
    rule: 'The applicant of a headless journey hears of it from the partner alone',
    file: MILESTONES,
    find: "return channel === 'API_HOSTED';",
    replace: 'return channel.length > 0;',
    specs: TOLD,
    only: 'to the applicant of a headless journey',
  },
  {
    id: 'milestone-switched-off',
    rule: 'What the operator has not switched on is not told',
    file: MILESTONES,
    find: 'milestones.filter((milestone) => milestoneTexts.includes(milestone))',
    replace: 'milestones.filter((milestone) => !milestoneTexts.includes(milestone) || milestone)',
    specs: TOLD,
    only: 'tells what is switched on alone',
  },
  {
    id: 'milestone-in-another-language',
    rule: 'A milestone goes out in the applicant’s language or not at all',
    file: TEXTS,
    find: "await this.gateways.sms()) ? null : 'NO_TEXT'",
    replace: 'await this.gateways.sms()) ? null : null',
    specs: TOLD,
    only: 'tells nothing that is not registered',
  },
  {
    id: 'milestone-held-back-counts-as-told',
    rule: 'Who has had the texts of the day is told of a milestone when it is over',
    file: TEXTS,
    find: 'if (!put.isHeldBack) return',
    replace: 'if (put.id) return',
    specs: TOLD,
    only: 'tells who has had the texts of the day',
  },
  {
    id: 'link-past-the-code',
    rule: 'Who has not given the code is not led on by another link',
    file: 'src/applicant-web/entry/start.controller.ts',
    find: "return session.isVerified || status !== 'FRESH';",
    replace: 'return status.length > 0;',
    specs: LINKS,
    only: 'does not lead past the code',
  },
];
