import { readdir, readFile } from 'node:fs/promises';
import { Controller, Get } from '@nestjs/common';
import type { Request } from 'express';
import { BANK_ACCOUNT } from '../../journey-steps/index.js';
import { HostedChoices, type HostedJourneyView, HostedReader } from '../../journeys/index.js';
import {
  ChoiceField,
  type Entered,
  type FormError,
  FormField,
  FormPost,
  NameField,
  Page,
  PatternField,
  projectPath,
  readForm,
  Rule,
  type SeeOther,
} from '../../platform/index.js';
import { requireScreen, requireStamp, TO_CURRENT_SCREEN } from '../entry/current-screen.js';
import { JourneyHere, type JourneyVisit, SignedIn } from '../entry/signed-in.js';
import { shortName } from '../offers/offer-card.js';
import { questionPage, takeAction } from './step-pages.js';

/** Four letters of the bank, a zero, six characters of the branch. */
const IFSC = /^[A-Z]{4}0[A-Z0-9]{6}$/;
const LETTERS = 4;
const FOLDER = 'data/ifsc';

/** The data may be older than the code. */
interface BankBranch {
  readonly ifsc: string;
  readonly bank: string;
  readonly isKnown: boolean;
  /** Both empty when the data has only banks and codes. */
  readonly branch: string;
  readonly place: string;
}

/**
 * Reads only the bank's file in data/ifsc (docs/operators/configuration.md), to save memory.
 * @throws RangeError for a malformed IFSC: it names a file
 */
export async function bankBranch(ifsc: string): Promise<BankBranch> {
  if (!IFSC.test(ifsc)) throw new RangeError('not an IFSC');
  const text = await fileOf(ifsc.slice(0, LETTERS));
  const [bank = '', ...lines] = text.split('\n');
  const code = ifsc.slice(LETTERS + 1);
  const line = lines.find((each) => each.startsWith(code));
  const [, branch = '', place = '', owner = ''] = line?.split('\t') ?? [];
  return { ifsc, bank: owner || bank, isKnown: line !== undefined, branch, place };
}

/**
 * Without the files, every code would be unknown.
 * @throws Error when data/ifsc has no bank's file
 */
export async function requireBankFiles(folder = projectPath(FOLDER)): Promise<void> {
  const names = await readdir(folder).catch((): string[] => []);
  if (names.some((name) => /^[A-Z]{4}\.txt$/.test(name))) return;
  throw new Error(`no bank is in ${FOLDER}: copy the folder with the release, or run npm run ifsc`);
}

async function fileOf(bank: string): Promise<string> {
  try {
    return await readFile(projectPath(`${FOLDER}/${bank}.txt`), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}

/** The number is typed twice: a wrong transfer cannot be reversed. */
export class BankAccountForm {
  @NameField()
  @FormField({ wrong: 'steps.account.holder.missing' })
  accHolderName: string;

  @ChoiceField(['SAVINGS', 'CURRENT'])
  @FormField({ wrong: 'steps.account.type.missing' })
  acctype: string;

  @PatternField(/^\d{9,18}$/, 'steps.account.number.wrong')
  @FormField({
    as: 'digits',
    wrong: 'steps.account.number.wrong',
  })
  accNo: string;

  @Rule(
    'repeated',
    (again, form) => again !== '' && again === (form as BankAccountForm).accNo,
    'steps.account.again.wrong',
  )
  @FormField({
    as: 'digits',
    wrong: 'steps.account.again.wrong',
  })
  accNoAgain: string;

  @PatternField(IFSC, 'steps.account.ifsc.wrong')
  @FormField({
    as: 'capitals',
    wrong: 'steps.account.ifsc.wrong',
  })
  ifscCode: string;
}

function typedBefore(entered: Entered): Entered {
  return { ...entered, accNoAgain: '' };
}

class BranchForm {
  @PatternField(IFSC, 'steps.account.ifsc.wrong')
  @FormField({
    as: 'capitals',
    wrong: 'steps.account.ifsc.wrong',
  })
  ifscCode: string;
}

async function typedBranch(request: Request): Promise<BankBranch | null> {
  const form = readForm(request, BranchForm);
  return form.isValid ? bankBranch(form.value.ifscCode) : null;
}

function refusedAccount(count: number): FormError {
  return { field: 'accNo', messageKey: 'steps.account.refused', values: { count } };
}

const PATH = '/hosted/bank-account';

@Controller(PATH)
@SignedIn()
export class BankAccountController {
  constructor(
    private readonly reader: HostedReader,
    private readonly choices: HostedChoices,
  ) {}

  @Get()
  show(@JourneyHere() { view }: JourneyVisit): Page {
    return accountPage(view);
  }

  @FormPost()
  async submit(@JourneyHere() visit: JourneyVisit): Promise<Page | SeeOther> {
    requireStamp(visit);
    const { view, request } = visit;
    const form = readForm(request, BankAccountForm);
    const bank = await typedBranch(request);
    if (!form.isValid) {
      const entered = typedBefore(form.entered);
      return accountPage(view, { errors: form.errors, entered, bank });
    }
    // The applicant must see the branch before the account is sent.
    if (form.entered.ifscShown !== form.value.ifscCode) {
      return accountPage(view, { entered: form.entered, bank, isToCheck: true });
    }
    const { accHolderName, acctype, accNo, ifscCode } = form.value;
    const outcome = await takeAction(this.choices, visit, {
      kind: 'SUBMIT_BANK_ACCOUNT',
      payload: { accHolderName, acctype, accNo, ifscCode },
      retryHref: PATH,
    });
    if (outcome === 'TAKEN') return TO_CURRENT_SCREEN;
    return outcome === 'REFUSED' ? this.refusal(visit, form.entered, bank) : outcome;
  }

  /** For the page's script, while the IFSC is typed. */
  @FormPost('branch')
  async branch(@JourneyHere() { request }: JourneyVisit): Promise<Page> {
    return new Page('steps/bank-branch', {
      titleKey: 'steps.account.check',
      languageReturn: PATH,
      bank: await typedBranch(request),
    });
  }

  /** Reads the journey again: the refusal was counted. */
  private async refusal(
    { session }: JourneyVisit,
    entered: Entered,
    bank: BankBranch | null,
  ): Promise<Page> {
    const view = await this.reader.read(session);
    requireScreen(view, PATH);
    const errors = [refusedAccount(triesLeft(view))];
    return accountPage(view, { errors, entered: typedBefore(entered), bank });
  }
}

interface SentForm {
  readonly errors?: readonly FormError[];
  readonly entered: Entered;
  readonly bank: BankBranch | null;
  /** Valid, but the branch was not shown yet. */
  readonly isToCheck?: boolean;
}

function accountPage(view: HostedJourneyView, sent?: SentForm): Page {
  const { offer, selection } = view.selected ?? {};
  return questionPage(view, 'bank-account', 'steps/bank-account', {
    titleKey: 'steps.account.title',
    scripts: ['bank-branch.js'],
    ...sent,
    netDisbursed: selection?.netDisbursed,
    lenderName: offer?.lenderName ?? '',
    shortName: offer && shortName(offer),
    fullName: view.applicant?.fullName ?? '',
    wasRefused: !sent && view.stepFailures > 0,
    triesLeft: triesLeft(view),
    accountTypes: [
      { value: 'SAVINGS', labelKey: 'steps.account.type.savings' },
      { value: 'CURRENT', labelKey: 'steps.account.type.current' },
    ],
  });
}

function triesLeft({ stepFailures }: HostedJourneyView): number {
  return BANK_ACCOUNT.maxTries - stepFailures;
}
