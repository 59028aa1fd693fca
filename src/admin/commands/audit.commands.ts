import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { z } from 'zod';
import {
  type AuditKey,
  AuditRoots,
  AuditSigner,
  AuditVerification,
  AuditFiles,
  auditFileText,
  checkAuditFile,
  type CheckedFile,
  faultText,
  type FromElsewhere,
  readAuditFile,
  type VerifiedAudit,
} from '../../audit/index.js';
import { KeyFactsModule } from '../../key-facts/index.js';
import { LenderMessagesModule } from '../../lender-api/index.js';
import { LenderRecordsModule } from '../../lenders/index.js';
import { MatchingModule } from '../../matching/index.js';
import { auditExhibits } from '../audit-exhibits.js';
import { auditSubject, type CommandContext, textTable } from './command-context.js';
import { Refusal } from '../refusal.js';
import { readNote } from './option-readers.js';
import { OPERATOR_COMMAND_SOURCE } from '../store/operator-commands.repository.js';
import { listOwnKeys } from './lender.commands.js';

interface OfOneLoan {
  journey?: string;
  application?: string;
}

interface ExportOptions extends OfOneLoan {
  out?: string;
  personal?: true;
}

interface VerifyOptions extends OfOneLoan {
  key?: string;
  roots?: string;
}

export function addAuditCommands(program: Command, context: CommandContext): void {
  const audit = program.command('audit').description('the audit trail and its proof');
  addExport(audit, context);
  addVerify(audit, context);
  addRoots(audit, context);
  addKeys(audit, context);
  addNote(audit, context);
}

function addExport(audit: Command, { noting, auditTrail, print }: CommandContext): void {
  audit
    .command('export')
    .description(
      'export the signed audit trail of a loan to one file; the audit trail records the export',
    )
    .option('--journey <id>', 'the journey’s id')
    .option('--application <id>', 'the application’s id')
    .option('--out <file>', 'the file to write (default: <id>.audit.json)')
    .option('--personal', 'include documents with personal data')
    .action(async (options: ExportOptions) => {
      const loan = loanOf(options);
      if (!loan) throw new Refusal('Give either --journey or --application.');
      const file = await noting(
        async (context) => {
          const files = context.get(AuditFiles);
          const subjectId = await auditSubject(context, loan);
          const said = await files.said(subjectId);
          // The chain may contain only this command's entry.
          if (said.every(({ source }) => source === OPERATOR_COMMAND_SOURCE.table)) return null;
          const exhibits = await auditExhibits(context, subjectId, said);
          return files.make(subjectId, exhibits, { withPersonalData: options.personal === true });
        },
        [
          auditTrail.module,
          KeyFactsModule,
          MatchingModule,
          LenderMessagesModule,
          LenderRecordsModule,
        ],
      );
      if (!file) throw new Refusal(`There is no audit trail of ${loan}.`);
      const out = options.out ?? `${file.subjectId}.audit.json`;
      writeFileSync(out, auditFileText(file), { mode: 0o600 });
      print([...file.story, `OK: exported ${file.entries.length} entries to ${out}.`].join('\n'));
    });
}

function addVerify(audit: Command, { reading, auditTrail, print }: CommandContext): void {
  audit
    .command('verify')
    .description('verify an exported file with the public keys only; without a file, the database')
    .argument('[file]', 'a file that `audit export` wrote')
    .option('--key <jwks>', 'the service’s public keys: the output of `audit keys`')
    .option('--roots <file>', 'signed roots stored elsewhere, one a line')
    .option('--journey <id>', 'in the database, only this journey')
    .option('--application <id>', 'in the database, only the journey of this application')
    .action(async (file: string | undefined, options: VerifyOptions) => {
      if (file !== undefined) {
        if (options.key === undefined) throw new Refusal('Give the public keys with --key.');
        const read = readAuditFile(bytesOf(file));
        if (!read)
          throw new Refusal(`${file} is not a file that \`audit export\` wrote, or it was edited.`);
        const { kept } = fromElsewhere(options);
        const { sources } = auditTrail;
        const checked = await checkAuditFile(read, { keys: keysIn(options.key), kept, sources });
        print(fileText(checked, kept !== undefined));
        if (checked.faults.length > 0)
          throw new Refusal(`${file} was altered after it was written and signed.`);
        return;
      }
      const loan = loanOf(options);
      const given = fromElsewhere(options);
      const verified = await reading(
        async (context) => {
          const verification = context.get(AuditVerification);
          return loan
            ? verification.verifySubject(await auditSubject(context, loan), given)
            : verification.verify(given);
        },
        [auditTrail.module],
      );
      if (loan && verified.entries === 0 && verified.faults.length === 0) {
        throw new Refusal(`There is no audit chain of ${loan}.`);
      }
      print(databaseText(verified, given));
      if (verified.faults.length > 0)
        throw new Refusal('The audit trail was altered after it was written.');
    });
}

function addRoots(audit: Command, { reading, auditTrail, print }: CommandContext): void {
  audit
    .command('roots')
    .description('print the signed roots; a stored root later proves that no earlier entry changed')
    .option('--signed', 'print the signed roots themselves, one a line')
    .option('--newest', 'only the last root, to hand out each day')
    .action(async ({ signed, newest }: { signed?: true; newest?: true }) => {
      const all = await reading((context) => context.get(AuditRoots).list(), [auditTrail.module]);
      if (signed && all.length === 0) {
        throw new Refusal(
          'No root is signed yet. The service signs the first root after the first day (in India) with an entry.',
        );
      }
      const roots = newest ? all.slice(-1) : all;
      const lines = roots.map(({ signedRoot }) => signedRoot);
      const table = roots.map(({ number, day, treeSize, signedAt, root }) => ({
        number,
        day,
        heads: treeSize,
        signed: signedAt.slice(0, 19),
        root,
      }));
      print(signed ? lines.join('\n') : textTable(table));
    });
}

function addKeys(audit: Command, context: CommandContext): void {
  const { auditTrail, print } = context;
  audit
    .command('keys')
    .description('print the public keys that verify roots and files, also retired keys, as a JWKS')
    .action(async () => {
      const keys = await listOwnKeys(context, (within) => within.get(AuditSigner).keys(), [
        auditTrail.module,
      ]);
      print(JSON.stringify({ keys }, null, 2));
    });
}

function addNote(audit: Command, { noting, print }: CommandContext): void {
  audit
    .command('note')
    .description(
      'record a sentence in the operator’s audit trail (a restore, a failover); no personal data',
    )
    .argument('<sentence>', 'at most 500 characters', readNote)
    .action(async () => {
      // The command does nothing else: running it records the sentence.
      await noting(() => Promise.resolve());
      print('OK: recorded.');
    });
}

function loanOf({ journey, application }: OfOneLoan): string | undefined {
  if (journey !== undefined && application !== undefined) {
    throw new Refusal('Give either --journey or --application.');
  }
  return journey ?? application;
}

function fileText(
  { subjectId, entries, unknown, exportedAt, proof, withheld, faults }: CheckedFile,
  isComparedWithKept: boolean,
): string {
  const proven = proof
    ? `Entries 1 to ${proof.position} are under root ${proof.number} of ${proof.day}: ${proof.root}.`
    : 'No root was signed yet.';
  const compare = 'Compare this root with one stored elsewhere, or give stored roots with --roots.';
  return [
    `${subjectId}: ${entries} entries, exported ${exportedAt ?? '(time unknown)'}.`,
    proven,
    ...(proof && !isComparedWithKept ? [compare] : []),
    ...(withheld.length > 0
      ? [`Signed, but not included in the file: ${withheld.join(', ')}.`]
      : []),
    ...unknownText(unknown),
    ...(faults.length > 0 ? faults : ['OK: everything is as it was written and signed.']),
  ]
    .map(printable)
    .join('\n');
}

/** Checked texts may contain line breaks and terminal escapes. */
function printable(line: string): string {
  return line.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\u{FFFD}');
}

function fromElsewhere({ key, roots }: VerifyOptions): FromElsewhere {
  const kept = roots === undefined ? undefined : textOf(roots).split('\n');
  return {
    ...(key !== undefined && { keys: keysIn(key) }),
    ...(kept && { kept: kept.map((line) => line.trim()).filter((line) => line !== '') }),
  };
}

function databaseText(verified: VerifiedAudit, { keys, kept }: FromElsewhere): string {
  const { subjects, entries, unknown, warnings, notCompared, faults } = verified;
  return [
    `${subjects} chains with ${entries} entries.`,
    ...unknownText(unknown),
    ...warnings,
    ...(faults.length > 0 ? faults.map(faultText) : ['OK: everything is as it was written.']),
    `Not compared with the audit trail: ${notCompared.join(', ')}.`,
    ...(keys ? [] : [OWN_KEYS]),
    ...(kept ? [] : [OWN_ROOTS]),
  ]
    .map(printable)
    .join('\n');
}

function unknownText(entries: number): string[] {
  if (entries === 0) return [];
  return [
    `Warning: ${entries} entries are of tables that this release does not know. Only their order was ` +
      'checked. Verify with the release that wrote them.',
  ];
}

const OWN_KEYS =
  'Warning: the keys came from the checked database. A person with write access and the master key ' +
  'can sign another history with them. Give keys stored elsewhere with --key.';
const OWN_ROOTS =
  'Warning: without roots stored elsewhere, the removal of the last roots and entries is not found. ' +
  'Give them with --roots.';

const Jwks = z.object({ keys: z.array(z.looseObject({ kid: z.string() })) });

function keysIn(file: string): AuditKey[] {
  try {
    const read = Jwks.safeParse(JSON.parse(textOf(file)));
    if (read.success) return read.data.keys;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new Refusal(`${file} is not a JWKS: an object with a list \`keys\`.`);
}

function textOf(file: string): string {
  return bytesOf(file).toString('utf8');
}

function bytesOf(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Refusal(`${resolve(file)} cannot be read (${code}).`);
  }
}
