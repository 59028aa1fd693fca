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
      'write one file with everything that is kept of a loan, signed; it is noted in the audit',
    )
    .option('--journey <id>', 'of this journey')
    .option('--application <id>', 'of the journey of this application')
    .option('--out <file>', 'where to write it: <id>.audit.json when left out')
    .option('--personal', 'also the documents with personal data')
    .action(async (options: ExportOptions) => {
      const loan = loanOf(options);
      if (!loan) throw new Refusal('Give one of --journey and --application.');
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
      if (!file) throw new Refusal(`There is no audit of ${loan}.`);
      const out = options.out ?? `${file.subjectId}.audit.json`;
      writeFileSync(out, auditFileText(file), { mode: 0o600 });
      print([...file.story, `${out}: ${file.entries.length} entries.`].join('\n'));
    });
}

function addVerify(audit: Command, { reading, auditTrail, print }: CommandContext): void {
  audit
    .command('verify')
    .description('check a file by the public keys alone, or, without a file, the database')
    .argument('[file]', 'what `audit export` wrote')
    .option('--key <jwks>', 'the file with the service’s public keys, as `audit keys` prints them')
    .option('--roots <file>', 'signed roots that were kept elsewhere, one in a line')
    .option('--journey <id>', 'of the database, this journey alone')
    .option('--application <id>', 'of the database, the journey of this application alone')
    .action(async (file: string | undefined, options: VerifyOptions) => {
      if (file !== undefined) {
        if (options.key === undefined) throw new Refusal('Give the public keys with --key.');
        const read = readAuditFile(bytesOf(file));
        if (!read) throw new Refusal(`${file} is not a file exactly as \`audit export\` wrote it.`);
        const { kept } = fromElsewhere(options);
        const { sources } = auditTrail;
        const checked = await checkAuditFile(read, { keys: keysIn(options.key), kept, sources });
        print(fileText(checked, kept !== undefined));
        if (checked.faults.length > 0)
          throw new Refusal(`${file} is not as it was written and signed.`);
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
        throw new Refusal(`There is no chain of ${loan}.`);
      }
      print(databaseText(verified, given));
      if (verified.faults.length > 0)
        throw new Refusal('The audit trail is not as it was written.');
    });
}

function addRoots(audit: Command, { reading, auditTrail, print }: CommandContext): void {
  audit
    .command('roots')
    .description(
      'print the signed roots; whoever keeps one can tell later that nothing before it changed',
    )
    .option('--signed', 'the signatures, one in a line')
    .option('--newest', 'the last one alone, to hand out each day')
    .action(async ({ signed, newest }: { signed?: true; newest?: true }) => {
      const all = await reading((context) => context.get(AuditRoots).list(), [auditTrail.module]);
      if (signed && all.length === 0) {
        throw new Refusal(
          'No root is signed yet. The service signs the first one after the first day in India that has an entry.',
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
    .description('print the public keys that check roots and files, retired ones too, as a JWKS')
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
      'write a sentence into the operator’s audit: a restore, a failover; nothing personal',
    )
    .argument('<sentence>')
    .action(async () => {
      // Running it records the sentence.
      await noting(() => Promise.resolve());
      print('Noted.');
    });
}

function loanOf({ journey, application }: OfOneLoan): string | undefined {
  if (journey !== undefined && application !== undefined) {
    throw new Refusal('Give one of --journey and --application.');
  }
  return journey ?? application;
}

function fileText(
  { subjectId, entries, unknown, exportedAt, proof, withheld, faults }: CheckedFile,
  isComparedWithKept: boolean,
): string {
  const proven = proof
    ? `Entries 1 to ${proof.position} are under root ${proof.number} of ${proof.day}: ${proof.root}.`
    : 'No root of a day was signed yet.';
  const compare = 'Compare that root with one from elsewhere, or give those with --roots.';
  return [
    `${subjectId}: ${entries} entries, exported ${exportedAt ?? '(nobody knows when)'}.`,
    proven,
    ...(proof && !isComparedWithKept ? [compare] : []),
    ...(withheld.length > 0 ? [`Not in the file, but signed: ${withheld.join(', ')}.`] : []),
    ...unknownText(unknown),
    ...(faults.length > 0 ? faults : ['Everything is as it was written and signed.']),
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
    ...(faults.length > 0 ? faults.map(faultText) : ['Everything is as it was written.']),
    `Not compared with the audit: ${notCompared.join(', ')}.`,
    ...(keys ? [] : [OWN_KEYS]),
    ...(kept ? [] : [OWN_ROOTS]),
  ]
    .map(printable)
    .join('\n');
}

function unknownText(entries: number): string[] {
  if (entries === 0) return [];
  return [
    `WARNING: ${entries} entries are of tables that this release does not know; of them the order alone was ` +
      'checked. Use the command line of the release that wrote them.',
  ];
}

const OWN_KEYS =
  'WARNING: the keys were those of the database that was checked. Whoever can write it and has its master key ' +
  'can sign another history with them. Give --key with keys that were kept elsewhere.';
const OWN_ROOTS =
  'WARNING: no roots from elsewhere were given. That the last ones were removed, with what they prove, is found ' +
  'by them alone. Give --roots.';

const Jwks = z.object({ keys: z.array(z.looseObject({ kid: z.string() })) });

function keysIn(file: string): AuditKey[] {
  try {
    const read = Jwks.safeParse(JSON.parse(textOf(file)));
    if (read.success) return read.data.keys;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new Refusal(`${file} is no JWKS: an object with a list \`keys\`.`);
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
