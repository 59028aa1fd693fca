import { type Fault, Page, type ScreenModel } from '../../platform/index.js';
import type { NoVisitor, WorkbenchVisitor } from '../access/workbench-visitors.js';
import { stamp } from './format.js';
import { WORKBENCH_LIMITS } from '../store/workbench-sessions.repository.js';

type WorkbenchSection =
  | 'overview'
  | 'journeys'
  | 'webhooks'
  | 'requests'
  | 'signature'
  | 'sandbox'
  | 'guide';

type WorkbenchModel = Omit<ScreenModel, 'layout' | 'sheets' | 'speculationRules' | 'title'> & {
  readonly title: string;
};

const FRAME = { layout: 'workbench', sheets: ['workbench.css'] };
/** The page refreshes itself while it is open. */
export const KEPT_CURRENT = { scripts: ['workbench.js'] };
const SPECULATION_RULES = 'workbench-links.json';

/** Its English texts are in views/workbench/<name>.hbs. */
export function workbenchPage(
  visitor: WorkbenchVisitor,
  section: WorkbenchSection,
  name: string,
  model: WorkbenchModel,
  status?: number,
): Page {
  return new Page(
    `workbench/${name}`,
    {
      ...FRAME,
      speculationRules: SPECULATION_RULES,
      ...model,
      section,
      visitor: shown(visitor),
    },
    status,
  );
}

/** For visitors without a session. */
export function signedOutPage(name: string, model: WorkbenchModel, status = 200): Page {
  return new Page(`workbench/${name}`, { ...FRAME, limits: WORKBENCH_LIMITS, ...model }, status);
}

export function closedPage(why: NoVisitor, hasDemonstration: boolean): Page {
  const isOver = why === 'OVER';
  const title = isOver ? 'Your session is over' : 'The workbench';
  return signedOutPage(
    'closed',
    { title, isOver, hasDemonstration: isOver && hasDemonstration },
    401,
  );
}

export function faultPage(fault: Fault, requestId: string, visitor: WorkbenchVisitor | null): Page {
  const { code, message, status } = fault;
  const model = { title: message, code, message, requestId };
  return new Page(
    'workbench/fault',
    { ...FRAME, ...model, ...(visitor && { visitor: shown(visitor) }) },
    status,
  );
}

function shown({ partnerName, name, hint, scopes, expiresAt }: WorkbenchVisitor) {
  return {
    partnerName,
    keyName: name,
    keyHint: hint,
    mayReadLeads: scopes.includes('leads:read'),
    mayManageWebhooks: scopes.includes('webhooks:manage'),
    expiresAt: expiresAt && stamp(expiresAt),
  };
}
