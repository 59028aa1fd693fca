import { z } from 'zod';
import { RinpathClient, verifyWebhook } from '../../node/src/index.ts';
import { startScenario } from '../../node/src/command-line/trigger.ts';
import { SCENARIOS } from '../../node/src/scenarios.ts';
import { Pages, textOf } from './pages.ts';
import type { Settings } from './settings.ts';

export interface Tool<Input extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly description: string;
  readonly input: Input;
  readonly isReadOnly: boolean;
  readonly run: (input: z.infer<Input>) => Promise<unknown>;
}

/** Moving time may take 25 seconds. */
const TIMEOUT_MS = 40_000;
const MAX_WAIT_MS = 5_000;
const NOT_LOGGED =
  'No call of this partner with this request id in the last seven days. A new call appears within ' +
  'two seconds: try again. A call without a known key is not logged.';
const NO_BODIES =
  'The log has no bodies. `details` of the response to this call names every bad field.';

const tool = <Input extends z.ZodObject>(one: Tool<Input>): Tool => one;

export function toolsOf(settings: Settings): Tool[] {
  const { baseUrl } = settings;
  const limits = { timeoutMs: TIMEOUT_MS, maxWaitMs: MAX_WAIT_MS };
  const client = new RinpathClient({ ...settings, ...limits });
  const pages = new Pages(baseUrl, client);
  return [
    tool({
      name: 'list_products',
      description: 'Lists the loan products of the key.',
      input: z.object({}),
      isReadOnly: true,
      run: () => client.listProducts(),
    }),
    startTool(client, baseUrl),
    moveTime(client),
    tool({
      name: 'read_journey',
      description:
        'Reads a journey or an instant loan: state, next action, and everything that happened, oldest first: ' +
        'calls, lenders’ answers, visits, events and webhook deliveries.',
      input: z.object({ journeyId: z.string().regex(/^jrn_[0-9a-f]{32}$/) }),
      isReadOnly: true,
      run: async ({ journeyId }) =>
        textOf(await pages.workbench(`/workbench/journeys/${journeyId}`)),
    }),
    explainCall(pages),
    verifyTool(settings),
    tool({
      name: 'search_documents',
      description:
        'Searches the partner documentation and the error catalogue. Returns the best sections with their addresses.',
      input: z.object({ query: z.string().min(2).max(200) }),
      isReadOnly: true,
      run: ({ query }) => pages.search(query),
    }),
  ];
}

function startTool(client: RinpathClient, baseUrl: string): Tool {
  return tool({
    name: 'start_scenario',
    description:
      'Starts a hosted journey, gold loan or instant loan with an invented applicant, so that the named outcome happens. ' +
      'Returns the ids and the applicant’s single-use link. Give the link only to the user who will open it.',
    input: z.object({ scenario: z.enum(SCENARIOS.map(({ name }) => name)) }),
    isReadOnly: false,
    run: async ({ scenario }) => {
      const chosen = SCENARIOS.find(({ name }) => name === scenario)!;
      const started = await startScenario(client, chosen);
      const next =
        `Open the link in a browser. Codes and texts are at ${baseUrl}/sandbox/inbox. ` +
        chosen.lookAt;
      return { ...started, happens: chosen.happens, next };
    },
  });
}

function moveTime(client: RinpathClient): Tool {
  return tool({
    name: 'move_time',
    description:
      'Moves the sandbox’s time forward, for all its partners, and runs everything that becomes due. Give one of the ' +
      'two inputs. If hasArrived is false, call again with the same `to`.',
    input: z
      .object({
        advanceSeconds: z.int().min(1).max(63_072_000).optional(),
        to: z.iso.datetime({ offset: true }).optional(),
      })
      .refine(({ advanceSeconds, to }) => (advanceSeconds === undefined) !== (to === undefined), {
        error: 'give either advanceSeconds or to',
      }),
    isReadOnly: false,
    run: ({ advanceSeconds, to }) =>
      client.moveSandboxTime(to === undefined ? { advanceSeconds: advanceSeconds! } : { to }),
  });
}

function explainCall(pages: Pages): Tool {
  return tool({
    name: 'explain_failed_call',
    description:
      'Explains a call of the partner by its request id (X-Request-Id): how it ended, what was wrong with its ' +
      'signature, and what the error catalogue says.',
    input: z.object({ requestId: z.string().regex(/^[\w.:-]{1,128}$/) }),
    isReadOnly: true,
    run: async ({ requestId }) => {
      const list = await pages.workbench(`/workbench/requests?request=${requestId}`);
      const path = /"(\/workbench\/requests\/req_[0-9a-f]{32})"/.exec(list)?.[1];
      if (path === undefined) throw new Error(NOT_LOGGED);
      const page = await pages.workbench(path);
      const code = />[45]\d\d<\/span> <span class="code">(\w+)</.exec(page)?.[1];
      const call = textOf(page);
      if (code === undefined) return { call };
      const note = code === 'validation_failed' ? NO_BODIES : undefined;
      return { call, ...(await pages.catalogue(code)), note };
    },
  });
}

function verifyTool({ webhookSecret }: Settings): Tool {
  return tool({
    name: 'verify_webhook',
    description:
      'Verifies a webhook that arrived, with the secret in RINPATH_WEBHOOK_SECRET, and says what is wrong. ' +
      'The body must be the raw text that arrived.',
    input: z.object({
      body: z.string().max(200_000),
      headers: z.object({
        'webhook-id': z.string().max(200),
        'webhook-timestamp': z.string().max(20),
        'webhook-signature': z.string().max(2_000),
      }),
    }),
    isReadOnly: true,
    run: async ({ body, headers }) => {
      if (!webhookSecret)
        throw new Error('Set RINPATH_WEBHOOK_SECRET in this server’s environment.');
      const {
        id,
        timestamp,
        isPreviousSecret,
        body: event,
      } = verifyWebhook(body, headers, webhookSecret);
      return { isValid: true, id, event: event['event'], timestamp, isPreviousSecret };
    },
  });
}
