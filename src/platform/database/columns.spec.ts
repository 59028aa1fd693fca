import { Column, Entity, PrimaryColumn } from 'typeorm';
import { describe, expect, it } from 'vitest';
import { Columns } from './columns.js';

@Entity('branches')
class Branch {
  @PrimaryColumn('text')
  id: string;

  @Column('text', { name: 'lender_code' })
  lenderCode: string;

  @Column('timestamptz', { name: 'opened_at' })
  openedAt: Date;

  @Column('text', { array: true })
  steps: string[];

  @Column({ name: 'is_open' })
  isOpen: boolean;

  @Column({ type: String })
  city: string;

  /** No column. */
  label: string;
}

const columns = new Columns(Branch);

describe('the columns of an entity', () => {
  it('are listed in the order of their declaration, all or some', () => {
    expect(columns.list()).toBe('id, lender_code, opened_at, steps, is_open, city');
    expect(columns.list(['lenderCode'])).toBe('lender_code');
    expect(columns.name('lenderCode')).toBe('lender_code');
  });

  it('are selected under the names of the properties, with an alias or without', () => {
    expect(columns.selected(undefined, ['id', 'lenderCode', 'openedAt'])).toBe(
      'id AS "id", lender_code AS "lenderCode", opened_at AS "openedAt"',
    );
    expect(columns.selected('b', ['lenderCode'])).toBe('b.lender_code AS "lenderCode"');
  });

  it('have the types that their declarations name, and no other', () => {
    expect(columns.type('openedAt')).toBe('timestamptz');
    expect(columns.type('steps')).toBe('text[]');
    for (const property of ['isOpen', 'city', 'label'] as const)
      expect(() => columns.type(property)).toThrow(`${property} is no column with a type`);
  });

  it('make a record of values', () => {
    expect(columns.toRecord({ lenderCode: 'X', id: '1' })).toEqual({ lender_code: 'X', id: '1' });
  });

  it.each([
    ['2026-03-01T00:00:00.000Z', '2026-03-01T00:00:00.000Z'],
    ['+012026-03-01T00:00:00.000Z', '12026-03-01T00:00:00.000Z'],
    ['-000001-03-01T00:00:00.000Z', '0002-03-01T00:00:00.000Z BC'],
  ])('make a record of the time %s as PostgreSQL reads it', (time, text) => {
    expect(columns.toRecord({ openedAt: new Date(time) })).toEqual({ opened_at: text });
  });

  it('are none of a property that is no column, or of a class that is no entity', () => {
    expect(() => columns.name('label')).toThrow('label is no column');
    expect(() => new Columns(class Stranger {})).toThrow('Stranger is no entity');
  });
});
