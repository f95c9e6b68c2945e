// Names of openings in Croatian, Serbian and Czech. The table of names is English: the family (what stands before the first
// comma or colon) has a name of its own in each language here, the words behind it that have one are translated, and the
// names of people and places stay. Loaded with the table.

/** English family | Croatian | Serbian | Czech. */
const FAMILIES = `
Alekhine Defence|Aljehinova obrana|Аљехинова одбрана|Aljechinova obrana
Anderssen Opening|Anderssenovo otvaranje|Андерсеново отварање|Anderssenovo zahájení
Benko Gambit|Volga gambit|Волга гамбит|Volžský gambit
Benoni Defence|Benoni obrana|Бенони одбрана|Benoni
Bird Opening|Birdovo otvaranje|Бердово отварање|Birdova hra
Bishop's Opening|lovčevo otvaranje|ловчево отварање|hra střelcem
Blackmar-Diemer Gambit|Blackmar-Diemerov gambit|Блекмар-Димеров гамбит|Blackmarův-Diemerův gambit
Blumenfeld Countergambit|Blumenfeldov protugambit|Блуменфелдов контрагамбит|Blumenfeldův protigambit
Bogo-Indian Defence|Bogoljubovljeva indijska obrana|Богољубовљева индијска одбрана|bogoindická obrana
Budapest Defence|Budimpeštanski gambit|Будимпештански гамбит|Budapešťský gambit
Caro-Kann Defence|Caro-Kann obrana|Каро-Кан одбрана|obrana Caro-Kann
Catalan Opening|Katalonsko otvaranje|Каталонско отварање|Katalánská hra
Center Game|igra u centru|игра у центру|hra středem
Colle System|Colleov sustav|Колеов систем|Colleho systém
Czech Defence|Češka obrana|Чешка одбрана|Česká obrana
Damiano Defence|Damianova obrana|Дамијанова одбрана|Damianova obrana
Danish Gambit|Danski gambit|Дански гамбит|Dánský gambit
Dutch Defence|Nizozemska obrana|Холандска одбрана|Holandská obrana
East Indian Defence|istočnoindijska obrana|источноиндијска одбрана|východoindická
Elephant Gambit|slonovski gambit|слонов гамбит|sloní gambit
English Defence|Engleska obrana|Енглеска одбрана|Anglická obrana
English Opening|Englesko otvaranje|Енглеско отварање|Anglická hra
Four Knights Game|igra četiri skakača|игра четири скакача|hra čtyř jezdců
French Defence|Francuska obrana|Француска одбрана|Francouzská obrana
Grob Opening|Grobovo otvaranje|Гробово отварање|Grobovo zahájení
Grünfeld Defence|Grünfeldova obrana|Гринфелдова одбрана|Grünfeldova indická
Hungarian Opening|Mađarsko otvaranje|Мађарско отварање|Maďarské zahájení
Indian Defence|Indijska obrana|Индијска одбрана|Indická obrana
Italian Game|Talijanska partija|Италијанска партија|Italská hra
King's Gambit|kraljev gambit|краљев гамбит|královský gambit
King's Gambit Accepted|primljeni kraljev gambit|прихваћени краљев гамбит|přijatý královský gambit
King's Gambit Declined|odbijeni kraljev gambit|одбијени краљев гамбит|odmítnutý královský gambit
King's Indian Attack|kraljev indijski napad|краљев индијски напад|královský indický útok
King's Indian Defence|kraljeva indijska obrana|краљева индијска одбрана|královská indická
King's Knight Opening|otvaranje kraljevim skakačem|отварање краљевим скакачем|hra královským jezdcem
King's Pawn Game|otvaranje kraljevim pješakom|отварање краљевим пешаком|hra královským pěšcem
Latvian Gambit|Latvijski gambit|Летонски гамбит|Lotyšský gambit
London System|Londonski sustav|Лондонски систем|Londýnský systém
Mexican Defence|Meksička obrana|Мексичка одбрана|Mexická obrana
Modern Defence|Moderna obrana|Модерна одбрана|Moderní obrana
Neo-Grünfeld Defence|neo-Grünfeldova obrana|нео-Гринфелдова одбрана|neo-Grünfeldova obrana
Nimzo-Indian Defence|Nimcovićeva indijska obrana|Нимцовичева индијска одбрана|Nimcovičova indická
Nimzo-Larsen Attack|Nimcović-Larsenov napad|Нимцович-Ларсенов напад|Nimcovičův-Larsenův útok
Nimzowitsch Defence|Nimcovićeva obrana|Нимцовичева одбрана|Nimcovičova obrana
Norwegian Defence|Norveška obrana|Норвешка одбрана|Norská obrana
Old Indian Defence|staroindijska obrana|староиндијска одбрана|staroindická
Owen Defence|Owenova obrana|Овенова одбрана|Owenova obrana
Petrov's Defence|Ruska partija|Руска партија|Ruská hra
Philidor Defence|Philidorova obrana|Филидорова одбрана|Philidorova obrana
Pirc Defence|Pircova obrana|Пирцова одбрана|Pircova obrana
Polish Defence|Poljska obrana|Пољска одбрана|Polská obrana
Polish Opening|Poljsko otvaranje|Пољско отварање|Polská hra
Ponziani Opening|Ponzianijevo otvaranje|Понцијанијево отварање|Ponzianiho hra
Portuguese Opening|Portugalsko otvaranje|Португалско отварање|Portugalské zahájení
Queen's Gambit|damin gambit|дамин гамбит|dámský gambit
Queen's Gambit Accepted|primljeni damin gambit|прихваћени дамин гамбит|přijatý dámský gambit
Queen's Gambit Declined|odbijeni damin gambit|одбијени дамин гамбит|odmítnutý dámský gambit
Queen's Indian Defence|damina indijska obrana|дамина индијска одбрана|dámská indická
Queen's Pawn Game|otvaranje daminim pješakom|отварање даминим пешаком|hra dámským pěšcem
Réti Opening|Rétijevo otvaranje|Ретијево отварање|Rétiho hra
Richter-Veresov Attack|Richter-Veresovljev napad|Рихтер-Вересовљев напад|Richterův-Veresovův útok
Ruy Lopez|Španjolska partija|Шпанска партија|Španělská hra
Saragossa Opening|Zaragozansko otvaranje|Сарагошко отварање|Zaragozské zahájení
Scandinavian Defence|Skandinavska obrana|Скандинавска одбрана|Skandinávská obrana
Scotch Game|Škotska partija|Шкотска партија|Skotská hra
Semi-Slav Defence|poluslavenska obrana|полусловенска одбрана|poloslovanská obrana
Semi-Tarrasch Defence|polu-Tarraschova obrana|полу-Тарашова одбрана|polotarraschova obrana
Sicilian Defence|Sicilijanska obrana|Сицилијанска одбрана|Sicilská obrana
Slav Defence|Slavenska obrana|Словенска одбрана|Slovanská obrana
St. George Defence|obrana svetog Jurja|одбрана светог Ђорђа|obrana svatého Jiří
Tarrasch Defence|Tarraschova obrana|Тарашова одбрана|Tarraschova obrana
Three Knights Opening|igra tri skakača|игра три скакача|hra tří jezdců
Torre Attack|Torreov napad|Тореов напад|Torreho útok
Trompowsky Attack|Trompowskyjev napad|Тромповскијев напад|Trompowského útok
Vienna Game|Bečka partija|Бечка партија|Vídeňská hra
Zukertort Opening|Zukertortovo otvaranje|Цукертортово отварање|Zukertortova hra
`;

/** Words behind the family: alone, or as the last one, when they go before the name (Najdorf Variation: varijanta Najdorf). */
const WORDS = `
Variation|varijanta|варијанта|varianta
Defence|obrana|одбрана|obrana
Attack|napad|напад|útok
Gambit|gambit|гамбит|gambit
System|sustav|систем|systém
Line|linija|линија|linie
Opening|otvaranje|отварање|zahájení
Countergambit|protugambit|контрагамбит|protigambit
Counterattack|protunapad|контранапад|protiútok
Main Line|glavna varijanta|главна варијанта|hlavní varianta
Classical|klasična|класична|klasická
Closed|zatvorena|затворена|uzavřená
Open|otvorena|отворена|otevřená
Exchange|izmjenska|изменска|výměnná
Advance|s napredovanjem|с напредовањем|postupová
Accepted|primljena|прихваћена|přijatá
Declined|odbijena|одбијена|odmítnutá
Symmetrical|simetrična|симетрична|symetrická
Normal|obična|обична|obvyklá
Modern|moderna|модерна|moderní
Dragon|zmaj|змај|dračí
Fianchetto|fianketo|фијанкето|fianketto
Orthodox|ortodoksna|ортодоксна|ortodoxní
`;

const COLUMN: Readonly<Record<string, number>> = { hr: 1, sr: 2, cs: 3 };

function table(text: string): ReadonlyMap<string, readonly string[]> {
  return new Map(
    text
      .trim()
      .split('\n')
      .map(line => line.split('|'))
      .map(columns => [columns[0]!, columns]),
  );
}
const families = table(FAMILIES);
const words = table(WORDS);

function tail(part: string, column: number): string {
  const whole = words.get(part)?.[column];
  if (whole) return whole;
  const cut = part.lastIndexOf(' ');
  const last = words.get(part.slice(cut + 1))?.[column];
  return cut > 0 && last ? `${last} ${part.slice(0, cut)}` : part;
}

/** An opening's name in one of the three languages; English where there is no other. */
export function openingName(name: string, language: string): string {
  const column = COLUMN[language];
  if (!column) return name;
  const [first = '', ...rest] = name.split(/[,:] */);
  const own = families.get(first)?.[column] ?? tail(first, column);
  const text = [own, ...rest.map(part => tail(part, column))].join(', ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
