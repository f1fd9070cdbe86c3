// Numbers and names as people read them.

const trim = (text: string) => (text.includes(".") ? text.replace(/\.?0+$/, "") : text);

export function significant(value: number, digits = 3): string {
  if (!Number.isFinite(value)) return value === Infinity ? "∞" : "–";
  if (value === 0) return "0";
  const size = Math.floor(Math.log10(Math.abs(value)));
  if (size >= digits - 1) return Math.round(value).toLocaleString("en-US");
  return trim(value.toFixed(Math.min(12, digits - 1 - size)));
}

export function time(seconds: number | null): string {
  if (seconds === null || !Number.isFinite(seconds)) return "–";
  for (const [unit, size] of [["s", 1], ["ms", 1e-3], ["µs", 1e-6]] as const)
    if (seconds >= size) return `${significant(seconds / size)} ${unit}`;
  return `${significant(seconds / 1e-9)} ns`;
}

/** Labels of axes: 0.3, 20, 1k, 5M. */
export function tick(value: number): string {
  for (const [unit, size] of [["G", 1e9], ["M", 1e6], ["k", 1e3]] as const)
    if (value >= size) return `${significant(value / size)}${unit}`;
  return significant(value);
}

export function bytes(count: number | null | undefined): string {
  if (count === null || count === undefined) return "–";
  for (const [unit, size] of [["TB", 1e12], ["GB", 1e9], ["MB", 1e6], ["kB", 1e3]] as const)
    if (count >= size) return `${significant(count / size)} ${unit}`;
  return `${count} B`;
}

export function count(value: number | undefined): string {
  return value === undefined ? "–" : value.toLocaleString("en-US");
}

export function percent(share: number): string {
  return Number.isFinite(share) ? `${significant(100 * share)} %` : "–";
}

export function factor(value: number): string {
  return Number.isFinite(value) ? `${significant(value)}×` : "–";
}

export const operationNames: Record<string, string> = {
  spmv: "SpMV  y = A x", spmm: "SpMM  C = A B, B dense", spgemm: "SpGEMM  C = A B, sparse", convert: "conversion of format",
};
export const placeNames: Record<string, string> = { cpu: "CPU", cuda: "GPU (CUDA)", reference: "serial reference" };
