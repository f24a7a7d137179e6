// The most common passwords: words from leaked lists, and the usual decorations around them.

const words = `
  password passwort passwd passcode pass secret letmein login welcome admin administrator root guest user test testing
  tester changeme default master superuser access qwerty qwertz azerty qwert qwertyui qwertyuiop asdf asdfghjk asdfgh asdfghjkl zxcv zxcvbn zxcvbnm
  qazwsx qazwsxedc wsxedc poiuy poiuytrewq lkjhgfdsa mnbvcxz qweasd qweasdzxc asdzxc iloveyou iloveu loveme lovely love
  lover mylove truelove sunshine princess prince football baseball basketball soccer hockey softball volleyball tennis
  golf golfer fishing hunter hunting swimming dancer dancing monkey dragon tiger lion eagle falcon phoenix panther wolf
  wolves bear bears cowboy cowboys yankees lakers steelers packers patriots broncos raiders rangers dolphins chelsea
  arsenal liverpool barcelona juventus manchester everton celtic shadow michael jordan michelle jennifer jessica ashley
  amanda nicole daniel andrew joshua matthew anthony thomas robert william george charlie charles richard patrick
  samantha elizabeth victoria alexander alexandra alexis stephanie natalie danielle rebecca heather melissa brandon
  brittany christian christopher benjamin jonathan jackson justin austin dallas chicago london newyork boston houston
  phoenix paris berlin madrid moscow tokyo canada america brazil mexico spain france germany england ireland scotland
  superman batman spiderman wolverine ironman captain starwars startrek matrix pokemon pikachu naruto minecraft roblox
  fortnite warcraft nintendo playstation xbox gandalf hobbit frodo potter harrypotter hogwarts simpson homer bart mickey
  mickeymouse donald snoopy garfield scooby barbie hello hellokitty kitty kitten cookie cookies chocolate banana cherry
  apple orange lemon strawberry pepper ginger peanut cheese butter pizza burger coffee whiskey vodka tequila guinness
  budweiser heineken flower flowers rose lily daisy jasmine orchid butterfly rainbow angel angels devil demon heaven
  jesus jesuschrist christ god godisgood blessed faith hope grace peace freedom liberty victory champion winner success
  money dollar dollars million rich gold golden silver diamond crystal platinum ferrari porsche mustang camaro corvette
  mercedes bmw toyota honda yamaha suzuki ducati harley kawasaki chevy chevrolet ford jeep hummer computer internet
  windows microsoft google facebook youtube twitter instagram linkedin amazon samsung iphone android nokia motorola
  apple macintosh linux ubuntu oracle mysql server network system security hacker hacking matrix killer ninja pirate
  samurai warrior knight soldier marine army navy airforce police sniper ranger commander general captain sergeant
  whatever nothing something anything everything forever together always never family friend friends bestfriend sister
  brother mother father mommy daddy mama papa baby babygirl babyboy sweetie sweetheart honey sugar cutie beauty
  beautiful gorgeous sexy hottie playboy summer winter spring autumn january february march april june july august
  september october november december monday tuesday wednesday thursday friday saturday sunday christmas halloween
  birthday holiday vacation purple yellow green blue black white silver orange red pink guitar music metallica nirvana
  slipknot eminem tupac beatles elvis madonna rockstar rocknroll hiphop trustno trustnoone dontknow idontknow letmeinnow
  openup opensesame abracadabra mustang maverick thunder lightning storm hurricane tornado blizzard midnight moonlight
  starlight sunset sunrise ocean river mountain forest garden paradise legend mystery magic magical wizard merlin unicorn
  fuckyou fuckoff fuck fucker asshole bitch bullshit shit pussy cock dick penis porn sex sexsex biteme blowme eatme
  zaqwsx zaqxsw zaqxswcde passpass passwordpassword adminadmin testtest lovelove useruser temp temporary dummy sample
  example company office work school student teacher doctor nurse lawyer engineer manager director president boss
`

// Complete passwords, whose digits are not a decoration.
const texts = `
  1q2w3e4r 1q2w3e4r5t 1qaz2wsx 1qaz2wsx3edc 1qazxsw2 q1w2e3r4 q1w2e3r4t5 zaq12wsx zaq1zaq1 zaq1xsw2 qwer1234 asdf1234
  zxcv1234 1234qwer 123qweasd 123qwe123 qwe123qwe abc12345 a1b2c3d4 a1s2d3f4 1a2b3c4d aa123456 a1234567 a12345678
  12345678a 123456789a 1234567a 123456aa 12341234 123123123 147258369 159753456 741852963 789456123 987654321 1357924680
  18atcskd2w 3rjs1la7qe 123456qwerty qwerty123456 password123456 q123456789 z123456789 woaini1314 5201314520 11223344
  1122334455 00112233 102030405060 10203040 01234567 0123456789 0987654321 09876543 trustno1 ncc1701d ncc1701e thx1138a
  blink182 area5151 agent007 james007 jordan23 michael1 gthcbr12 qq123456 ab123456 p@ssw0rd pa55word pa55w0rd
`

const split = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/))
const stems = split(words)
const whole = split(texts)

// "P@ssw0rd!23" is "password" to anyone who guesses.
const spelled: Readonly<Record<string, string>> = {
  "@": "a",
  "4": "a",
  "3": "e",
  "1": "i",
  "!": "i",
  "0": "o",
  $: "s",
  "5": "s",
  "7": "t"
}
const plain = (text: string): string => text.replace(/[@431!0$57]/g, (sign) => spelled[sign] ?? sign)

const isDecoratedWord = (text: string): boolean => {
  const bare = text.replace(/^[^a-z@$]{0,4}/, "").replace(/[\d\W_]{0,6}$/, "")
  return stems.has(bare) || stems.has(plain(bare)) || stems.has(plain(text))
}

// 11111111, abababab, 12341234, abcdefgh, 87654321: leaked lists hold the short ones only.
const isMonotonous = (text: string): boolean => {
  if (!/^[a-z0-9]{1,12}$/.test(text)) return false
  if (/^(.{1,4})\1+$/.test(text)) return true
  const steps = new Set<number>()
  for (let index = 1; index < text.length; index++) steps.add(text.charCodeAt(index) - text.charCodeAt(index - 1))
  // 1234567890 takes one step back at its end.
  steps.delete(-9)
  return steps.size === 1 && (steps.has(1) || steps.has(-1))
}

// Longer than every listed password with any decoration.
const longest = 64

/** Whether the password is among the most common ones, in any case. */
export const isCommon = (password: string): boolean => {
  if (password.length > longest) return false
  const text = password.toLowerCase()
  return whole.has(text) || isDecoratedWord(text) || isMonotonous(text)
}
