/** Data that the modules pass on. Classes are typed where they are written. */

type Values = import("./values.js").Values;
type Rules = import("./engine.js").Rules;
type Game = import("./picture.js").Game;
type Machine = import("./machine.js").Machine;
type Play = import("./history.js").Play;
type Choices = import("./choices.js").Choices;
/** Left, top, then width and height of areas and boxes of marks, or right and bottom of drawings. */
type Box = [number, number, number, number];
type Point = [number, number];
/** A formula of the table of marks, compiled. */
type Run = (names: any) => any;
/** The values of the attributes of a mark, each with its type. */
type Said = Record<string, [number, any]>;
/** A state that is kept with its picture. */
interface Standing { state: State; key: string; own: boolean; sizes: number[]; marks: Sparse[]; scene: Scene }
/** A source of whole numbers of 32 bits. */
type Random = () => number;
/** See chance.js. */
interface Source { random?: Random; given: (string | undefined)[]; outcomes: string[] }
type Chance = Random | Source | null;
/** A code, or several of a set, a list or a map. */
type Value = any;
type Viewer = number | null;
/** Plain data of JSON. */
type Json = any;

interface State { bytes: Uint8Array; ended: number; fault: number; draws: number }
interface Action { action: number; values: number[] }
interface Outcome { winners: number[]; scores: number[] | null; by: string | null; ended: string; text: string }
interface Reason { kind: string; id: string; clause: string; text: string; fact: string }
interface Sight { text: string; parts: [number, Value][] }
interface Difference { kind: string; before: string | null; after: string | null; key: string; excess: number }
interface Observed { text: string; action: Action | null; spoken: string[] }
/** The knowledge of a seat: the state where nothing is hidden, else what it saw and observed. */
interface View {
  seat: number; legal: Action[]; state?: State; dealt?: boolean; seen?: Sight[]; observed?: Observed[];
}
interface Held { number(at: number): number; word(at: number): bigint }
interface Storing {
  number(at: number, value: number): void; word(at: number, value: bigint): void; also(at: number, word: bigint): void;
}

/** A type of values, as rulespec/browser/types.py lists it; which fields it has depends on its kind. */
interface ValueType {
  kind: "scalar" | "optional" | "set" | "list" | "map"; name: string; family: string; things: string; of: number;
  keys: number; bag: boolean; cap: number; joint: string; words: number; base: number; first: number; count: number;
  codes?: number[]; texts?: string[]; also?: [string, number][]; plain?: boolean; fields?: [string, number][];
  parts?: number[][]; members?: number[][]; many?: boolean;
}
interface Variable {
  name: string; type: number; at: number; words: boolean; hidden: boolean;
  planes?: { at: number, size: number, first: number, each: number, base: number, none: number };
}
interface Layout {
  state: Variable[]; numbers: number; words: number; mover: number; over: number; ended: number; fault: number;
  first: { sizes: number[], numbers: [number, number | string][], words: [number, number | string][] };
  seats: number[]; setup: number; settle: number; resume: number; width: number; behind: number; moves: number;
  rows: [number, number][][];
}
interface Step { action: Action; note: string; text: string; outcomes: string[] }
/** A play by the rules in which a seat may have observed what it did, as far as it came. */
interface Followed {
  state?: State | null; plies: number; changes: Difference[]; outcomes: string[]; good: string[]; ends: number[]; spoken?: number; at?: State | null;
}
interface KnownAction {
  name: string; text: string; form: string; heading: string; forced: boolean; button: boolean;
  choices: { name: string, chain: boolean, type: number }[];
  /** Of an action chosen at once: the variable of who has chosen, empty where the choices stay secret. */
  atOnce?: string;
}
interface About {
  id: string; title: string; ruleset: string; digest: string; players: number; parameters: Json; readings: Json;
  seats: string[]; names: string[]; tones: number[]; actions: KnownAction[]; ends: { id: string, text: string }[]; secrets: boolean; chance: boolean;
  sharing: string; asked: string[]; ties: [boolean, string][];
}
interface Meaning { kind: string; id: string; clause: string; text: string; choice: number; absent: string; most: number }
type Looks = Record<string, any[]>;
interface Layer {
  mark: string; looks: string[]; across: number; up: number; fixed: boolean; action: string; in: string[];
  tones: boolean; secret: boolean; binder: string; items: string; text: (string | null)[]; fields: [string, number][];
}
/** What a page needs of a game, as rulespec/browser/bundle.py makes it. */
interface Bundle {
  format: number; about: About; layout: Layout; types: ValueType[]; functions: Record<string, string>; end: number;
  wasm: string; noted: (string | [number, number])[][]; told: (string | [number, number])[][]; refused: Meaning[][]; counted: [boolean, (string | number)[]][]; tied: Json[]; titled: string[]; faults: string[];
  drawn: { at: number, room: number, types: number[] }; knowledge: { sizes: [number, number] };
  observed: {
    sights: { marks: number, at: number, type: number, keys: number[] }[];
    actions: { secrets: number[], reads: number[][], plain: boolean }[];
  };
  pictures: { layers: Layer[], looks: Looks[] }; search: Record<string, number>;
}

interface Part { label: string; number: number | null }
interface Piece {
  label: string; tone: number; number: number | null; sides: number; parts: Part[]; suit: string; rank: string;
}
/** A mark with every attribute, as rulespec/book/drawing/scene.py has it. */
interface Mark {
  kind: string; layer: number; x: number; y: number; level: number; shade: number; tone: number; label: string;
  corner: string; number: number | null; sides: number; suit: string; rank: string; size: number;
  joins: string | null; to: Point | null; via: Point[]; items: Piece[]; looks: string[]; text: string; name: string;
  option: number; refused: boolean; taken: boolean; fixed: boolean; new: boolean;
}
/** A mark of which attributes at their defaults may be left out. */
type Sparse = Partial<Omit<Mark, "items">> & { items?: Partial<Piece>[] };
interface Scene<M = Mark> { title: string; numbered: boolean; marks: M[] }
interface Area { mark: number; item: number; box: Box; part: number; look: string; kind: string; layer: number; name: string; label: string }
interface RowLayout { room: number; start: number }
interface Drawing { box: Box | null; parts: string[]; areas: Area[]; head(box: Box): string }
/** A place on the board, or a piece beside it, that can be pointed at. */
interface Spot {
  key: string; handles: Set<string>; name: string; label: string; box: Box;
  reach: { box: Box, order: number, shape?: string }[]; actions: Set<number>; drawn: Set<number>;
}

interface Thing { part: number; at: Point }
interface Way { pose: string; rank: number; middle: number[]; meant: number[] }

/** The button of a spot. */
type Target = HTMLElement & { spot: Spot, place?: string };
interface Setting { key: string; file: string; players: number; label: string; text?: string; parameters: Json; readings: Json }
interface Manifest { title: string; script: string; rules?: string; settings: Setting[] }
/** An action that the machine chooses, and the reason. */
interface Advice { action: Action; why: string }
/** A play as an address or a record has it. */
interface WrittenPlay { key?: string; from?: string; given?: Json; chance?: string[]; plays: string[]; outcome?: Json; exercise?: string }

/** A formula of the table of marks; see rulespec/book/drawing/formula.py. */
type Formula = any;
interface Scope { values: Record<string, any>; outer?: any; mark?: any; entry?: Record<string, Formula> }
interface Tables {
  levels: Record<string, [number, number]>;
  symbols: Record<string, string>; tones: number; scene: { pieces: string[], unread: string[], back: string };
  drawing: {
    sizes: Record<string, any>, functions: Record<string, [string[], Formula]>,
    entries: Record<string, Record<string, Formula>>,
  };
}

declare var rulespecTables: Tables;
declare var rulespec: { bundles: Record<string, Bundle>, source: string, script: (address: string) => Promise<unknown>, open: any, openAddress: any, openRemembered: any };
declare var rulespecPlays: Record<string, string[]>;
declare var rulespecIndex: { pages: [string, string, boolean][], sections: [number, string, string, string, string][] };
interface HTMLElement { rulespecTable?: any }
