// The games that the server knows, to choose one from.
import { welcome } from '../net.js';
import { variantTitle } from '../words.js';

/** The lines of a select. No component of its own, so that the select is drawn again with them and keeps its value. */
export function variantOptions() {
  return welcome.value?.variants.map(v => (
    <option key={v.name} value={v.name}>
      {variantTitle(v.name)}
    </option>
  ));
}

interface VariantFieldProps {
  title: string;
  value: string;
  onChange: (variant: string) => void;
  testid?: string;
}

/** A select with its title above it. */
export function VariantField({ title, value, onChange, testid }: VariantFieldProps) {
  return (
    <label class="field">
      <span>{title}</span>
      <select class="input" value={value} onChange={e => onChange(e.currentTarget.value)} data-testid={testid}>
        {variantOptions()}
      </select>
    </label>
  );
}
