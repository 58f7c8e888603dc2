// The client of the last release, recorded by tools/release/record.ts; do not edit.
var or={};var ie=e=>new TextEncoder().encode(e);var ir=864e5,eo={ms:1,s:1e3,m:6e4,h:36e5,d:ir},no=10,sr=100;function T(e,n,t=1,r=0){let o=e;if(typeof e!="number"){let a=/^(\d+(?:\.\d+)?)(ms|[smhd])$/.
exec(e);if(!a)throw new TypeError(`${n} must be milliseconds, or like "500ms"`);o=+a[1]*eo[a[2]]}if(o=Math.ceil(o),!(o>=
t&&o<=365*ir))throw new RangeError(`${n} must be ${t} ms to 365 days`);if(e<r)throw new RangeError(`${n} must be "${e}ms\
", or "${e}s"`);return o}var ve=e=>T(e,"lease",no,sr),qe=(e,n)=>T(e,"ttl",n,sr);function G(e,n){if(typeof e!="object")throw new TypeError(
"options must be an object");let t=n.split(" ");for(let r of Object.keys(e)){if(t.includes(r))continue;let o=t.filter(s=>s in
e).join()==="waitUntil",a=(s="")=>[...r].filter((d,l)=>l&&s.includes(r.slice(l-1,l+1))).length,[i]=t.sort((s,d)=>a(d)-a(
s));if(!o||2*a(i)>r.length)throw new TypeError(`no option "${r}": nearest "${i?.replace(/.*>/,"")}"`)}}function _(e=1/0,n,t=1,r=1/0){
if(typeof e!="number")throw new TypeError(`${n} must be a number`);if(!(e>=t&&e<=r&&(e===1/0||Number.isSafeInteger(e))))
throw new RangeError(`${n} must be a whole number, ${t} to ${r}`);return e}function F(e,n){if(typeof e!="function")throw new TypeError(
`${n} must be a function`);return e}function ar(e,n,t,r,o="work"){if(typeof e=="function")return e;let a=typeof r=="func\
tion"?`the options come before ${o}`:`${o} ${e===void 0?"is missing":"must be a function"}`;throw new TypeError(`${n}: ${a}\
: ${t}`)}function gn(e,n){let t="run(options, work)";if(e.length>1)return[e[0]??{},ar(e[1],n,t,e[0])];let[r]=e;return[{},
ar(typeof r=="object"&&r!==null?void 0:r,n,t)]}function Ge(e,n,t){if(!t.split(" or ").includes(e))throw new TypeError(`${n}\
 must be ${t}`);return e}function to(e){return typeof e=="string"&&e.isWellFormed()}function K(e,n,t=1,r=512){if(!to(e))
throw new TypeError(`${n} must be well-formed text`);let{length:o}=ie(e);if(o<t||o>r)throw new RangeError(`${n} must be ${t}\
 to ${r} bytes`);return e}var Xn=e=>e.replace(/[{}%]/g,encodeURIComponent);var et=e=>btoa(new Uint8Array(e).reduce((n,t)=>n+String.fromCharCode(t),"")).replaceAll("+","-").replaceAll("/","_").replaceAll(
"=",""),D=()=>crypto.randomUUID(),lr=async e=>new Uint8Array(await crypto.subtle.digest("SHA-1",ie(e))).reduce((n,t)=>n+
(t+256).toString(16).slice(1),""),ro=async e=>et(await crypto.subtle.digest("SHA-256",ie(e))),_e=async e=>(await ro(e)).
slice(0,22);function dr(e,n){let t=e.length^n.length;for(let r=0;r<e.length;r++)t|=e.charCodeAt(r)^n.charCodeAt(r);return t===
0}var cr=e=>async n=>{let t={name:"HMAC",hash:"SHA-256"},r=await crypto.subtle.importKey("raw",ie(e),t,!1,["sign"]);return et(
await crypto.subtle.sign("HMAC",r,ie(n)))},ur=e=>et(ie(e));var mr=e=>e&&(async n=>{try{await e(n)}catch{}});var Ie=(e,n,t="",r)=>e===void 0?"":t+encodeURIComponent(K(e,n,1,r)),hn=e=>e&&`@${e}`;function je(e=""){let[n,t]=e.split(
"@").map(decodeURIComponent);return{...n&&{label:n},...t&&{holder:t}}}var pr={now:()=>Date.now(),monotonic:()=>performance.now()};function H(e){let n=e.now(),t=e.monotonic();return()=>Math.max(
e.now()-n,e.monotonic()-t)}var nt=(e,n)=>e.get(n)??Math.min(0,...e.values());var Xe=new WeakMap;function oo(e){let n=new Set,t=()=>{Xe.delete(e);for(let o of n)o()},r={callbacks:n,listener:t};return Xe.
set(e,r),e.addEventListener("abort",t,{once:!0}),r}function fr(e,n){let t=Xe.get(e)??oo(e),r=()=>n();return t.callbacks.
add(r),()=>{t.callbacks.delete(r),!(t.callbacks.size>0)&&(e.removeEventListener("abort",t.listener),Xe.get(e)===t&&Xe.delete(
e))}}var ao=2**31-1;function en(e,n,t,r,o){let a=r?.timers??globalThis,i=a.setTimeout(t,Math.min(e,ao));o&&i.unref?.();let s=n&&
fr(n,t);return()=>{a.clearTimeout(i),s?.()}}var Ve=(e,n,t,r,o)=>new Promise(a=>{let i=d=>{s(),a(d)},s=en(n,t,()=>i(o?.()),
r);t?.aborted?i(o?.()):e(i)});async function se(e,n,t){await Ve(()=>{},e,n,t),n?.throwIfAborted()}var nn=(e,n)=>n.reduce((t,r)=>`${r}`.length<16?t:t.replaceAll(`${r}`,"\u2026"),`${e}`.replace(/, with args.*|\w+:\/\/\S+/gs,
"\u2026")),yr=e=>({result:e[0]?.result,error:e.find(n=>n?.error)?.error,answers:e}),io=/connect[ _]|refused|enotfound|eai_|notcapable|denied/i;
function tt(e){let{syscall:n,code:t,name:r,errors:o}=Object(e);return o?.length?o.every(tt):io.test(`${n} ${t} ${r}`)}function br(e,n,t){
let{cause:r=e,name:o}=Object(e),{name:a="Error",message:i,code:s}=Object(r),d=tt(e)||tt(r);return{unsure:!d,away:d||/\(Connect\)/.
test(`${i}`),error:`${s??o??a}`,cause:Object.assign(new Error(nn(`${i}`.replaceAll(n||"\0","\u2026"),t)),{name:a,code:s})}}
function gr(e,n,t,r,o,a){let i=new AbortController;return Ve(d=>{e(n,i.signal,a).then(d)},t,r,o,()=>(i.abort(),{unsure:!0,
error:"time-out"}))}function rt(e,n,t){let r=e.replace(/\/?([?#].*)?$/,"/pipeline$1"),o={method:"POST",headers:{authorization:`Bearer ${n}`,
"content-type":"application/json"},..."cache"in Request.prototype&&{cache:"no-store"}};return async(a,i,s)=>{let d=0;try{
let l=JSON.stringify(s?[a,...s]:a),c=await t(s?r:e,{...o,body:l,signal:i}),{status:u,ok:m}=c,f=m?"":`${c.headers.get("re\
try-after")}`;m||(d=Math.max(+f*1e3||Date.parse(f)-Date.now()||0,0));let p=await c.text();if(u===401||u===403)return{status:401,
error:"the API token was refused"};if(u===429)return{status:u,retryAfterMs:d,error:"too many requests"};let y=JSON.parse(
p)??{};return m?yr(s&&Array.isArray(y)?y:[y]):{error:y.error??`HTTP ${u}`,unsure:u>499,status:u,retryAfterMs:d}}catch(l){
return{...l?.name==="SyntaxError"?{unsure:!0,error:"an answer without JSON"}:br(l,n,a),retryAfterMs:d}}}}function be(e){let{connection:n=e}=Object(e);return n?.retentionMs?n:tn("a connection is missing: connect makes one")}function tn(e){
throw new TypeError(e)}var hr=(...e)=>globalThis.fetch(...e);function so({redis:e,url:n,token:t,fetch:r}){if(e!==void 0){
let{port:a,server:i,client:s}=Object(e);if(a)return[a,i];let{baseUrl:d="",headers:l}=Object(s);return l?.authorization||
tn("redis must be an @upstash/redis client with url and token, or one in its port: leasehold/ioredis, leasehold/node-red\
is, leasehold/bun"),[rt(d,l.authorization.slice(7),hr),d]}let o="";try{({href:o}=new URL(n))}catch{}return/^https?:\/\/[^/@]*\//.
test(o)||tn("url is missing, or not a URL of http or https without credentials"),/^[!-~]+$/.test(t??"")||tn("token is mi\
ssing, or not printable ASCII"),[rt(o,t,F(r??hr,"fetch")),o]}var lo="url token redis fetch prefix lease retention reques\
tTimeout dialect holder serverId onEvent trace ticketKey clock random";function Ke(e){let n=e??{};G(n,lo);let{prefix:t="\
leasehold:",serverId:r,ticketKey:o}=n,[a,i]=so(n),s=i.replace(/^\w+:\/\/(.*@)?|\/?([?#].*)?$/g,"");/[{}]/.test(K(t,"pref\
ix",0))&&tn("prefix must be without braces");let d=T(n.requestTimeout??5e3,"requestTimeout"),l=2*d,c=T(n.retention??Math.
max(6e4,l),"retention",l);return{prefix:t,port:a,server:s,serverId:r===void 0?void 0:K(r,"serverId"),leaseMs:ve(n.lease??
3e4),retentionMs:c,requestTimeoutMs:d,holder:Ie(n.holder,"holder","@",200),clock:n.clock??pr,random:F(n.random??Math.random,
"random"),sign:o===void 0?void 0:cr(K(o,"ticketKey")),emit:mr(n.onEvent&&F(n.onEvent,"onEvent")),trace:n.trace&&F(n.trace,
"trace"),state:{offsets:new Map,dialect:Ge(n.dialect??(/\.upstash\.io([:/]|$)/.test(s)?"flagged":"plain"),"dialect","pla\
in or flagged"),due:0,uses:new Map}}}var v=class extends Error{constructor(n,t,r){super(t),this.code=n,this.name=`_${n.replace("_error","")}_error`.replace(/_(.)/g,
(o,a)=>a.toUpperCase()),Object.assign(this,r)}},ge=class extends v{constructor(n,t,r){super("lock_timeout",n,{remainingMs:t,
...r!==void 0&&{cause:r}})}},Q=class extends v{constructor(n,t,r){super("lease_lost",`the lease of "${n}" is over: ${t}`,
{reason:t,names:r})}},U=class extends v{constructor(n,t,r){super("outcome_unknown",`no answer about "${n}": ${t}`,{cause:r})}},
ot=(e,n)=>new v("wrong_kind",`"${e}" is in use as ${n}`,{kind:n});var kr={integer:Number.isSafeInteger,text:e=>typeof e=="string"};function wr(e,n){let[t,r,...o]=Array.isArray(n)?n:[],a=typeof t==
"string"&&Object.hasOwn(e.replies,t),i=Object.entries(a&&e.replies[t]||{});if(!(a&&kr.integer(r)&&i.length===o.length&&i.
every(([,d],l)=>kr[d](o[l]))))throw new v("malformed_answer","not an answer of our script: check the URL");return{status:t,
now:r,...Object.fromEntries(i.map(([d],l)=>[d,o[l]]))}}function kn(e){let{clock:n,state:t,requestTimeoutMs:r}=e.connection,o=nt(t.offsets,e.keys[0]);return Math.max(t.due,Math.
ceil((n.now()+o+r)*1e3))}var le=e=>.9*e.requestTimeoutMs,he=50,xr=6,co=700,He=25,at=/^(LOADING|READONLY|\w+DOWN|TRYAGAIN|BUSY) /,
uo=`#!lua flags=allow-key-locking
`,Rr=new Map;async function mo(e){let n=Rr.get(e)??await lr(e);return Rr.set(e,n),n}function po({name:e,connection:n},{status:t=1/0,
unsure:r,away:o,cause:a,retryAfterMs:i},s){if(o||r&&t>501){let[l]=n.server.split("/");return[new U(e,`${s}${l&&` (${l})`}`,
a),!0]}if(/^WRONGTYPE/.test(s))return[ot(e,"foreign"),!1];if(t===429)return[new v("rate_limited",s,{retryAfterMs:i}),!0];
let d=t===401||/^(WRONGPASS|NOAUTH) /.test(s);return[new v(d?"unauthorized":"redis_error",s),at.test(s)]}async function P(e,n,t,r){
let{connection:o,name:a,keys:i,emit:s}=e,d=r.via?.(o)??o.port,{clock:l,state:c,random:u,requestTimeoutMs:m}=o,{signal:f,
operation:p,waits:y,leastMs:h=He,moreMs:w=0}=r,{doubt:k={open:!1},tries:g={made:0,most:1/0}}=r,{budgetMs:b=le(o)}=r,S=Math.
min(m,.4*Math.max(m,b)),L=Math.max(1,b/he)**(1/(xr-2)),A="late"in n.replies,C=i[0],E=H(l),I=()=>o.retentionMs-(k.since?.()??
0),j=!1,Y=0,te=0,ye=0,zn;for(;;){let Yt=c.dialect==="flagged",Qt=(Yt?uo:"")+n.lua,Yr=await mo(Qt);if(f?.throwIfAborted(),
I()<=0)throw new U(a,"no answer for too long");let Jt=Math.min(S,Math.max(b-E(),h))+w,Xt=l.now(),Zn=H(l),Yn=Math.floor((Xt+
nt(c.offsets,C)+Math.min(Jt,I()))*1e3);c.due=Math.max(c.due,Yn);let er=[...j?["EVAL",Qt]:["EVALSHA",Yr],i.length,...i,...A?
[Yn]:[],...t],Qr=k.open;k.open=!0;let ae=await gr(d,er,Jt,f,l,r.behind),re=ae.error===void 0?wr(n,ae.result):void 0,nr=ae.
unsure||re?.status==="late";nr&&(k.since??=Zn,k.until=Math.max(k.until??0,A?Yn:1/0)),k.open=Qr||nr;let Te=ae.error?nn(ae.
error,er):"";s?.({type:"request",operation:p,attempt:++ye,durationMs:Zn(),status:re?.status,why:Te});let Qn=g.made<g.most;
if(re){if(c.offsets.size>99&&c.offsets.clear(),re.now>0&&c.offsets.set(C,re.now/1e3-l.now()),re.status!=="late"){if(re.now>
k.until&&(k.open=!1,k.since=void 0),re.status==="kind")throw ot(a,re.kind);return g.made++,r.heard?.(e,re),Object.assign(
re,{sentAt:Xt,since:Zn,answers:ae.answers})}if(++te<3&&Qn)continue;Te="TRYAGAIN too late"}else if(/^NOSCRIPT/.test(Te)&&
!j&&Qn){j=!0;continue}else if(Yt&&Qn&&/in script shebang/.test(Te)){c.dialect="plain",j=!1;continue}f?.throwIfAborted(),
zn=ae.cause??zn;let[tr,Jr]=po(e,{...ae,cause:zn},Te);ae.away&&!y&&(b=Math.min(b,E()+co));let rr=Math.min(b-E(),I()),Xr=(.5+
u()/2)*he*L**Y++,Jn=Math.max(Math.min(Xr,.8*rr),ae.retryAfterMs??0);if(!Jr||++g.made>=g.most||Y===xr||rr-Jn<He||(s?.({type:"\
retried",operation:p,why:Te,delayMs:Jn}),await se(Jn,f,l),g.made>=g.most))throw tr}}var $=()=>{};function J(e,n=e){let t=e.waitUntil?e:n;if(t.waitUntil)return F(t.waitUntil,"waitUntil"),r=>{try{t.waitUntil?.(
r);return}catch{return r}}}var rn=(e,n)=>n?n(e):e,fo=200;async function wn(e,n,t){let r=rn(e,n);if(!r)return;let o=i=>{r.
then(i)},a=await Ve(o,1/0,t);return t?.aborted?Ve(o,fo):a}var ke=e=>e*99e-5-2;function B(e,{extend:n,close:t}){let{retentionMs:r}=e.connection;return{extend:(o,a,i,s)=>P(e,n,[o,a,
i,r],s),close(o,a,i){let s=a===0||i.doubted?kn(e):0;return P(e,t,[o,a,r,s],i)}}}var xn=({place:e,id:n,close:t},r,o,a,i)=>wn(
t(n,0,{operation:"cancel",budgetMs:o,tries:{made:0,most:2}}).then(({status:s})=>s==="closed",()=>(e.emit?.({type:"unansw\
ered",operation:r}),!1)),a,i);function Ar({place:{name:e,emit:n,connection:t},token:r},o){let a=0,i,s=$;function d(){s(),i?.abort(c.over())}function l(){
if(s(),!c.left||c.over())return;let u=c.remaining();u<=a&&(a=0,n?.({type:"expiring",token:r,remainingMs:u})),s=en(u-a,void 0,
l,t.clock,!0)}let c={left:void 0,lost:void 0,finished:!1,told:!1,heldMs:H(t.clock),remaining:()=>c.left&&!c.lost&&!c.finished?
Math.max(0,c.left()):0,learn({remaining:u,holds:m,sentAt:f,since:p}){o.holds=m;let y=ke(u);c.left&&y-p()<c.remaining()||
(c.left=()=>y-p(),a=n?y/5:0,o.expiresAt=Math.floor(f+y),i&&l())},lose(u,m){c.lost||(c.lost=new Q(e,u,m),n?.({type:"lost",
token:r,reason:u,heldMs:c.heldMs()}),d())},finish(){c.told=c.finished=!0,d()},loss(){return c.left&&!c.finished&&c.remaining()<=
0&&c.lose("expired"),c.lost},over:()=>c.loss()??(c.finished?new Q(e,"released"):void 0),signal(){let u=c.over()!==void 0;
return i||(i=new AbortController,u?d():l()),i.signal}};return c}var yo=50;async function Sr(e,n,t){let{lease:r}=e,o=e.over();if(o)throw o;let a;e.works++;try{a=await n(r),e.loss()}finally{
let s=--e.works?void 0:r.release().catch($);await(s&&rn(s,t))}let i=e.loss();if(i)throw i;return a}function we(e,n){if(!e)
return;let t=e===!0?{}:e;return G(t,"maxHold maxExtends"),{maxHoldMs:T(t.maxHold??(n?"25s":"1h"),"maxHold"),maxExtends:_(
t.maxExtends,"maxExtends",0)}}function Rn(e,n,t,r){if(!r)return Sr(e,n,t);let{lease:o,leaseMs:a,clock:i}=e,{maxExtends:s}=r,
d=H(i),l=new AbortController,{signal:c}=l;(async()=>{for(;s>0&&!e.over();){await se(Math.max(o.remaining/3,yo),c,i);let f=r.
maxHoldMs-d();if(o.remaining>f*.97)return;e.extending||o.remaining>a*.8||(e.extending=!0,await o.extend(Math.min(a,f),{signal:c}).
then(()=>{s=f>a?s-1:0},$),e.extending=!1)}})().catch($);let m=Sr(e,async()=>(o.expiresAt===0&&await o.extend(a),n(o)),t).
finally(()=>l.abort());return t?.(m.catch($)),m}var it=3;function Ne({place:e,id:n,token:t,leaseMs:r,trace:o=e.connection.trace?.()}){let{kind:a,names:i,group:s=null,connection:d}=e,
l=()=>ur(JSON.stringify([it,a,i,s,n,t,r,o]));return d.sign?d.sign(l()).then(c=>{let u=`${l()}.${c}`;return()=>u}):l}var bo=Symbol.asyncDispose??Symbol.for("Symbol.asyncDispose");async function An(e,n,t,r,o){let{place:a,token:i}=e,{waitedMs:s,
polls:d}=n;try{let l=o?await o:n;return a.emit?.({type:"acquired",token:i,waitedMs:s,polls:d}),st(e,l,await Ne(e))}catch(l){
let c=await xn(e,"acquire",.25*le(a.connection),t,r);throw r?.throwIfAborted(),c===!1?new U(a.name,"it may have been gra\
nted",l):l}}function st(e,n,t){let{place:r,token:o,leaseMs:a,works:i=0}=e,{name:s}=r,d={name:s,token:o,tokens:{[s]:o},holds:0,
expiresAt:0,get remaining(){return l.loss(),l.remaining()},get signal(){return l.signal()},throwIfEnded(){let u=l.over();
if(u)throw u},keepAlive(u,m,f={}){if(typeof u=="function")return d.keepAlive({},u,m);G(u,"waitUntil maxHold>limits");let p=J(
u);return Rn(c,m,p,we(f,p))},ticket:t,toJSON:()=>({name:s,token:d.token,holds:d.holds,expiresAt:d.expiresAt})};d[bo]=()=>d.
release().then($,$);let l=Ar(e,d),c=Object.assign(l,{lease:d,leaseMs:a,clock:r.connection.clock,works:i});return Object.
assign(d,go(e,l),e.adds?.(e,d,l.learn)),n&&l.learn(n),c}function go(e,n){let{place:t,id:r,token:o,leaseMs:a,doubted:i}=e,
{connection:s,names:d,emit:l}=t,c={open:!1},u=!1,m=p=>e.close(r,o,{operation:"release",waits:!0,doubted:i,doubt:p});async function f(p,y,h){
if(n.over())return!1;let w={open:!1},k=le(s),g=n.left?Math.min(n.remaining(),y?1/0:k):k;try{let b=await e.extend(r,o,y,{
operation:p,budgetMs:g,doubt:w,waits:y>0,...h});b.status==="extended"?(n.learn(b),y&&n.lost&&await m()):(n.told=d.every(
S=>b.lost?.includes(S)??!0),n.finished||n.lose(b.reason,b.lost))}catch(b){if(y?!w.open||!n.left||n.remaining()>5*He:!n.loss())
throw b;n.finished||(n.lose("expired"),y&&await m().catch(()=>{throw b}))}return!n.over()}return{verify:()=>f("verify",0),
async extend(p,y){let h=p===void 0?a:T(p,"duration");if(!await f("extend",h,y))throw n.over();l?.({type:"extended",token:o,
remainingMs:n.remaining()})},async release(){if(n.told)return!1;c.since?.()>=s.retentionMs&&(c={open:!1},u=!1),u||=!n.lost&&
n.left?.()>0,n.finish();try{let p=await m(c);return p.status==="closed"||u&&c.open&&/unknown|released/.test(p.reason)?(l?.(
{type:"released",token:o,heldMs:n.heldMs()}),!0):(n.lose(p.reason==="unknown"?"taken":p.reason,p.lost),!1)}catch(p){throw n.
told=!1,l?.({type:"unanswered",operation:"release"}),p}}}}var ho={"without a group":"Give this lock the group too, or leave the group out everywhere","by a multi-lock in a group":"\
Leave the group out here, or give it to every lock of the name","on one server":"Lock the name by a quorum lock everywhe\
re","on a majority of servers":"Lock the name by a quorum lock everywhere"},lt=(e,n,t)=>({connection:e.connection,name:e.
names[n],subject:`key ${e.keys[n]}`,way:t}),Or=({connection:e},n,t)=>({connection:e,name:n,subject:`name ${n}`,way:t});function xe(e){
return[...(e.group===void 0?e.names:[]).map(t=>Or(e,t,"without a group")),...e.names.map((t,r)=>lt(e,r,"on one server"))]}
var Sn=e=>[...e.names.map(n=>Or(e,n,"by a multi-lock in a group")),...e.names.map((n,t)=>lt(e,t,"on one server"))],Mr=e=>e.
flatMap(n=>[...xe(n).filter(({way:t})=>t==="without a group"),lt(n,0,e.length===1?"on one server":"on a majority of serv\
ers")]);function De(e){for(let{connection:n,name:t,subject:r,way:o}of e){let a=n.state.uses.get(r);if(a!==void 0&&a!==o)
throw new TypeError(`"${t}" was locked ${a} over this connection, and is now locked ${o}: these are two locks, and neith\
er excludes the other. ${ho[o]}`)}}function On(e){for(let{connection:n,subject:t,way:r}of e){let{uses:o}=n.state;o.delete(
t),o.set(t,r);let[a]=o.keys();o.size>2e3&&o.delete(a)}}function Oe(e,n,t,r){let o=r===void 0?void 0:Xn(K(r,"group")),a=t.map(s=>{let d=Xn(K(s,"name"));return e.prefix+(o===void 0?
`{${d}}`:`{${o}}/${d}`)}),i=t.join(", ");return{connection:e,kind:n,name:i,names:t,group:r,keys:a,emit:e.emit&&(s=>e.emit?.(
{kind:n,name:i,...s}))}}var ko={fair:"fairLock",rw:"readWriteLock"},Mn=({kind:e,name:n})=>`${ko[e]??e}("${n}")`,X=e=>({...e,
keys:[...e.keys,`${e.keys[0]}%crowd`]});function W(e,n,t,r,o){return G(r,o),Oe(be(e),n,[t],r.group)}function Ue(e,{extend:n,close:t}){let{names:r}=e,o=a=>a.status==="lost"&&r.length>1?{...a,lost:r.filter((i,s)=>a.names?.
split(" ").includes(`${s+1}`))}:a;return{adds:({token:a})=>({tokens:Object.fromEntries(r.map(i=>[i,a]))}),extend:async(...a)=>o(
await n(...a)),close:async(...a)=>o(await t(...a))}}var wo=27e4;function xo(e){try{let n=Uint8Array.from(atob(e.replace(/-/g,"+").replace(/_/g,"/")),o=>o.charCodeAt(0)),t={
fatal:!0},r=JSON.parse(new TextDecoder("utf-8",t).decode(n));if(Array.isArray(r))return r}catch{}return[]}async function Pn(e,n,t,r){
let o=be(e),a=E=>{throw new TypeError(`this ticket ${E}`)};if(typeof n!="string"||n.length>wo)return a("has no ticket's \
length");let[i="",s,...d]=n.split(".");o.sign&&!dr(await o.sign(i),s??"")&&a("has no valid signature"),!o.sign&&s!==void 0&&
a("is signed, and there is no ticketKey");let[l,c,u,m,f,p,y,h]=xo(i);if((l!==it||d.length>0)&&a("is of another release o\
f leasehold"),!Array.isArray(u)||!u.length)return a("is not one of ours");let w=t.find(E=>E.kind===c&&!E.several==u.length<
2);if(!w&&!r)return a("is of another release of leasehold");if(typeof f!="string"||!/^[\da-f-]{36}[\w#-]{0,24}(@[\w.!~*'()%@-]{1,2200})?$/.
test(f)||!Number.isSafeInteger(p)||p<1||typeof y!="number")return a("is not one of ours");let k=m===null?void 0:K(m,"the\
 group in a ticket");for(let E of u)K(E,"the name in a ticket");let g=Oe(o,c,u,k),b=w?.crowd?X(g):g,S=T(y,"the lease in \
a ticket",10),L={id:f,token:p,leaseMs:S,trace:h};r&&(await Ne({place:r.place,...L}))()!==n&&a("is for another lock");let A=r??
B(b,w);w&&c!=="once"&&On(w.several?Sn(g):xe(g));let C=typeof h=="string"?h:void 0;return b.emit?.({type:"resumed",token:L.
token,trace:C}),st({place:b,...A,...Ue(b,A),...L,doubted:!0,works:c==="once"?1:0},void 0,()=>n).lease}var dt=1e3;async function Ln({connection:e,emit:n},{waitMs:t=0,maxPolls:r=1/0,backoff:o,blockedBy:a},i,s){let{signal:d,operation:l}=i;
if(d!==void 0&&!d?.addEventListener)throw new TypeError("signal must be an AbortSignal");let{clock:c,random:u}=e,m=H(c),
f={made:0,most:r},p,y,h=!1;try{for(;;){let w=m(),k=t>0&&{waits:!0,leastMs:Math.min(dt,e.requestTimeoutMs/2)};p=await s({
waitedMs:Math.round(w),polls:f.made,before:p},{...i,...k,budgetMs:i.budgetMs-w,tries:f});let g=a?.(p),b=m(),S=f.made,L=Object.
assign(p,{polls:S,waitedMs:b});if(!g)return L;k&&i.doubt&&(i.doubt.queued=!0);let A=t-b,{remainingMs:C,backMs:E=A}=g;if(A<=
0||S>=r)return n?.({type:"refused",polls:S,remainingMs:C}),L;let I=o?.({...g,polls:S,waitedMs:b,roundTripMs:p.since(),random:u}),
j=Math.min(Math.max(Number(I),1),E,A)||A;h||n?.({type:"waiting",operation:l,remainingMs:C}),h=!0,n?.({type:"polled",polls:S,
remainingMs:C,delayMs:j}),await se(j,d,c)}}catch(w){throw y=d?.aborted?"aborted":`${w.code}`,w}finally{n?.({type:"ended",
operation:l,status:y??p.status,waitedMs:m(),polls:f.made,waited:h})}}var Ro=/^(held|running|not_reentrant)$/;function Ao(e,n){let t=n*.00101+2,r=e.monotonic();return()=>t-(e.monotonic()-r)}
function Pr(){let e=[];return{heard({connection:n,keys:[t]},{status:r,remaining:o=0}){let a=Ro.test(r)&&o>0;!a&&r!=="gra\
nted"||(e=e.filter(i=>i.connection!==n||i.record!==t),a&&e.push({connection:n,record:t,leftMs:Ao(n.clock,o)}))},remainingMs:()=>Math.
max(0,...e.map(({leftMs:n})=>n()))}}async function on(e,n=Pr()){let{place:t,close:r,operation:o,terms:a,suffix:i=""}=e,{signal:s,waitUntil:d,waitMs:l=0,maxPolls:c=1/0,
leaseMs:u}=a,m=le(t.connection),f=.75*m,p=l>0?Math.max(l,f):Math.min(u,f),y=H(t.connection.clock),h={open:!1},w=D()+i,k,
g,b;try{let L={operation:o,signal:s,budgetMs:p,doubt:h,heard:n.heard},A=await Ln(t,a,L,(j,Y)=>e.ask(Object.assign(a,j,{id:w}),
Y));g={id:w,...A,doubted:h.open},w=g.id;let{status:C,remaining:E=0}=A,I=C==="granted";if(I&&A.since()<ke(E)&&!s?.aborted)
return g;h.open||=I||C==="closed"&&t.names.length>1,(I||C==="closed")&&(k=g.polls,g=void 0),s?.throwIfAborted()}catch(L){
b=L}if(h.open||h.queued){let L=Math.max(l+m-y(),m-f),A=await xn({place:t,id:w,close:r},o,Math.min(L,m),d,s);s?.throwIfAborted();
let C=`it may have been granted, for ${u} ms`;if(b instanceof U){if(A)return Lr(b,n);h.open&&(b.message+=`; ${C}`)}else if(A===
!1&&h.open){let E=b instanceof v?`: ${b.message}`:"";b=new U(t.name,C+E,b)}}if(b!==void 0)throw b instanceof v&&Object.assign(
b,Cr(n)),b;if(g)return g;let S=l-y()-he;return k===void 0||S<=0||c<=k?Lr(new U(t.name,"the grant came too late"),n):(await se(
he,s,t.connection.clock),on({...e,terms:{...a,waitMs:S,maxPolls:c-k}},n))}function Cr(e){let n=Math.ceil(e.remainingMs());
return n>0?{remainingMs:n}:{}}var Lr=(e,n)=>({status:"unanswered",cause:e,...Cr(n)});function an({name:e},n,t){let{remainingMs:r,
cause:o}="cause"in t?t:{remainingMs:t.remaining/1e3,cause:void 0};return new ge(`"${e}" was not acquired within ${n} ms`,
r||void 0,o)}var $e=`local function C(h)local a=(h or 8e15)-8e15 return a%256,math.floor(a/256)*1000 end local function Z(d,c)return \
string.format('%.0f',8e15+math.floor(c/1000)*256+math.min(d,255))end local function ac(c)return 4e15+math.floor(c/8)+c%1\
 end
`,x=`local ak=redis.call('TIME')local a=ak[1]*1000000+ak[2]
`,q=`local i=KEYS[2]local function N()redis.call('PEXPIRE',i,ad())end
`,Er=`local function b(c,a)return redis.call('ZCOUNT',KEYS[2],c,a)end local j,m,c=b(a,4e15),b(-4e15,-a),b(-9e15,-4.5e15-\
a)if j>0 then local c=redis.call('ZREVRANGEBYSCORE',KEYS[2],4e15,a,'WITHSCORES','LIMIT',0,1)[2]s=math.max(s,c)end
`,de=`local function V(b,k)if g==math.huge then return{'lost',a,'gone'}end E(b,'C',k)return S()or{'closed',a}end
`,V=`local ai={R='released',C='released',E='expired',F='forced'}local function P(b,e,z,a)z=y(b)or z if f>e and(not z or \
z=='E')then return not z and a or'taken'end return ai[z]or f==e and'released'or'gone'end
`,Cn=`local v,n=I:match('^%S* %S* %d+ %d+ (%d+) (%d+)')v,n=tonumber(v or 0),tonumber(n or 0)local function H()D()r=r..st\
ring.format(' %.0f %.0f',v,n)end
`;var M=`if a>tonumber(ARGV[1])then return{'late',a}end
`,En=`local j=h=='latch'and g>a local u,d,c=(j and r or'0 0 0'):match('^(%d+) (%d+) (%d+)$')u,d,c=tonumber(u),tonumber(d\
),tonumber(c)local function D()h,r='latch',string.format('%.0f %.0f %.0f',u,d,c)end
`,ee=`local I=h==m and r~=''and r or'  0 0'local B,R,w,C=I:match('^(%S*) (%S*) (%d+) (%d+)')w,C=tonumber(w),tonumber(C)l\
ocal function D()h,r=m,string.format('%s %s %.0f %.0f',B,R,w,C)end local function L(a)w=math.max(w==0 and a or w+(a-w)/8\
,0)end
`,ce=`local function Y(b)local j,B,R=b:match('^(.+)#(%d+)(.*)$')local k={not j and b or nil}for i=1,math.min(B or 0,1000\
)do k[i]=j..'#'..i..R end return k end local function X(h)return h%1>0 and'F'or'E'end local function aj(a)return('R CFE'\
):sub(a,a)end
`,Be=`local i,m,s,j=0,'','',''if h=='once'and g>a then i,m,s,j=r:match('^(%d+) (%S*) (%S*) (.*)$')i=tonumber(i)end local\
 function D()h,r='once',string.format('%.0f %s %s %s',i,m,s,j)end
`,O=`local O=KEYS[1]local G=redis.call('GET',O)
`,We=`local function K()local k=redis.call('ZRANGEBYSCORE',i,a+1,4e15)redis.call('ZREMRANGEBYSCORE',i,-1e16,0)redis.call\
('ZREMRANGEBYSCORE',i,4.5e15,1e16)for b=1,#k,2000 do local l={}for i=b,math.min(b+1999,#k)do table.insert(l,string.forma\
t('%.1f',a-0.5))table.insert(l,k[i])end redis.call('ZADD',i,unpack(l))end return#k>0 end
`,Tn=`local function ac(b,c)local d,k,H=redis.call('ZRANGEBYSCORE',i,c,a,'WITHSCORES','LIMIT',0,b),{},{}for i=1,#d,2 do \
local b,h=d[i],d[i+1]+0 local c,t=b:match('^([tw])(.+)')local m='t'..b:sub(1,36)if h>=-a or h<-1e18 then table.insert(k,\
b)if c then table.insert(k,(c=='w'and'p'or'n')..t)elseif H[#H]~=m then table.insert(H,Z(X(h)=='F'and 4 or 5))table.inser\
t(H,m)end end end return k,H end local function al(d,s)return not d or d>0 and d<s end local function ai()return unpack(\
redis.call('ZRANGEBYSCORE',i,a+1,4e15,'WITHSCORES','LIMIT',0,1))end local function V(b,e)local c,d=0,0 for H,h in ipairs\
(redis.call('ZMSCORE',i,unpack(Y(b))))do h=tonumber(h or 0)if h>a then c,d=h,d+1 end end if d>0 then return{'granted',a,\
e,c-a,d}end end local function S(b,s,m,d,e,p,H)f=math.max(f+1,a)local c,l=a+d*1000,{string.format('%.0f',f*1024),'t'..b:\
sub(1,36)}if m=='counter'then c,l[1]=0,Z(1)else for H,b in ipairs(Y(b))do table.insert(l,string.format('%.0f',c))table.i\
nsert(l,b)end end g=math.max(g,c,B and a+e*1000 or 0)if h~=m and h~='none'then redis.call('UNLINK',i)p,H={},nil end for \
H,z in ipairs(H or{})do table.insert(l,z)end redis.call('ZADD',i,unpack(l))if#p>0 then redis.call('ZREM',i,unpack(p))end\
 D(m)N()x()return{'granted',a,f,(c>0 and c or g)-a,s}end
`,Fe=`local Q,aa=20000,2000000 local function an(k,d)local a={}for H,b in ipairs(k)do local c=b:match('^w(.+)')if c~=d t\
hen table.insert(a,b)if c then table.insert(a,'p'..c)end end end if a[1]then redis.call('ZREM',i,unpack(a))end end local\
 function af(c,e,v,P,u)if e==0 then e,v=10000,10000 end local a=(v+500)*math.sqrt(c+1)local b=math.min(math.max(1750,55*\
math.sqrt(a),(P-e)/16),10*Q)local d=math.max(e-P,0)+c*(e+2000)+b-a return math.floor(math.min(math.max(d,b),aa,c>0 and a\
a or u+1000))end local function ah(a,K,d,...)g=math.max(g,d)return redis.call('ZADD',i,'LT',-d,'w'..a,K+4.5e15,'p'..a,..\
.)end local function ag(a)redis.call('ZREM',i,'p'..a,'w'..a)end local function ao()return-(redis.call('ZRANGEBYSCORE',i,\
-4e15,-a,'LIMIT',0,1,'WITHSCORES')[2]or 0)end local function am()return redis.call('ZCOUNT',i,-4e15,string.format('(%.0f\
',-a))end
`;var vn=`if A(ARGV[1])then return{'kind',a,h}end if g<=a then return{'free',a,f}end local s,d=J()
`,R=`G=G or'none 1 0 0   'local h,f,g,F,U,r=G:match('^(%a+) 1 (%d+) (%d+) ()')local W=F and G:find(' ',F,true)local t=W \
and G:find(' ',W+1,true)if t and(' none lock fair rw once semaphore counter latch '):find(' '..h..' ',1,true)then F,U,r=\
G:sub(F,W-1),G:sub(W+1,t-1),G:sub(t+1)else h=(G:match('^(%a+ %d+) ')or'foreign'):gsub(' ','/')f,g,F,U,r=0,math.huge,'','\
',''end f,g=tonumber(f),tonumber(g)local l,T={}local function E(b,y,k)local c=b:sub(25,36)..y l[b],T=nil,true if k==0 th\
en local b=F:find(';',1,true)or#F+1 F=(F:sub(1,b-1)..c):sub(-832)..F:sub(b)else local b,d=string.format(';%.0f:',math.ce\
il((k or a+q*1000)/1e6))F,d=F:gsub(b,'%0'..c)if d==0 then F=F..b..c end end end for b,c in U:gmatch('([^:,]+):(%d+)')do \
l[b]=tonumber(c)if l[b]<=a then E(b,'E')end end local function y(b)local f=F:find(b:sub(25,36),1,true)return f and F:mat\
ch('^%u',f+12)end local function A(m)return h~=m and g>a end local function J()local s,d=0,0 for H,c in pairs(l)do s,d=m\
ath.max(s,c),d+1 end return s,d end local function ad()return math.ceil(math.max(g-a,f-a,0)/1000)+q end local function x\
(d)local U=''for b,c in pairs(l)do U=U..string.format('%s:%.0f,',b,c)end if F:find(';',1,true)then F=F:gsub(';(%d+)[^;]*\
',function(k)if k*1e6<a then return''end end)end local e=string.format('%s 1 %.0f %.0f %s %s ',h,f,g,F,U)return(d or red\
is.call)('SET',O,e..r,'PX',ad(),'GET')end
`,ze=`local v=redis.call('MGET',unpack(KEYS))
`,Ze=`local I=h=='rw'and r~=''and r or'0   0 0 'local n,B,R,w,z=I:match('^(%d+) (%S*) (%S*) (%d+) (%d+) $')n,w,z=tonumbe\
r(n),tonumber(w),tonumber(z)local function D()h,r='rw',string.format('%.0f %s %s %.0f %.0f ',n,B,R,w,z)end local functio\
n aa()return tonumber(redis.call('ZREVRANGEBYSCORE',i,4e15,a+1,'WITHSCORES','LIMIT',0,1)[2]or 0)end local function L()lo\
cal k=redis.call('ZRANGEBYSCORE',i,-9e15,-4.5e15-a-1,'WITHSCORES','LIMIT',0,1)return-4.5e15-(k[2]or-4.5e15)end local fun\
ction ae(b)local k=n>a and redis.call('ZRANGEBYSCORE',i,-4e15,-a-1,'WITHSCORES','LIMIT',0,2)or{}n=math.max(0,-(k[k[1]=='\
w'..b and 4 or 2]or 0))end
`,Re=`local I=(h=='semaphore'or h=='counter')and r~=''and r or' 0 0 0 0'local B,w,C,R,n=I:match('^(%S*) (%d+) (%d+) (%d+\
) (%d+)$')B,w,C=g>a and tonumber(B)or nil,tonumber(w),tonumber(C)R,n=tonumber(R),tonumber(n)local function D(m)local b=B\
 and string.format('%.0f',B)or''h,r=m,string.format('%s %.0f %.0f %.0f %.0f',b,w,C,R,n)end local function M(h)h=tonumber\
(h or 0)return math.max(h,0)/1024,h<0 and-h/1024%10 or nil end local function Z(b)return string.format('%.0f',-1024*(mat\
h.floor((a+q*1000)/10)*10+b))end local function ab()local k=redis.call('ZRANGEBYSCORE',i,-1024*a,-1e18,'LIMIT',0,25)for \
i=1,#k do table.insert(k,'n'..k[i]:sub(2))end return k end local function ae()return redis.call('ZCOUNT',i,a+1,4e15)end
`,N=`local function S(e)local f=x(redis.pcall)if f and f.err and f.err:find('OOM',1,true)then redis.call('PEXPIRE',O,ad(\
))f=x(redis.pcall)end if f and f.err then if not e or next(l)then return f end redis.call('DEL',O)end end
`,qn=`local function M(b)if g>0 then C=math.max(C+math.min((b-C)/8,3*w)+g-a,0)end end
`;var Me={lua:`local q=tonumber(ARGV[5])
`+x+M+O+R+V+q+ce+$e+"local b,e=ARGV[2],tonumber(ARGV[3])local j,m,n=b:sub(1,36),b:match('^[^@]*',37),a+ARGV[4]*1000 loca\
l c,d,o,z=l[j],0,{},nil if c then d=select(2,J())if f~=e then c=nil end if c and n>c then l[j]=n end elseif h=='semaphor\
e'or h=='rw'then local k=Y(b)local g=h~='semaphore'local v=redis.call('ZMSCORE',i,g and'o'..m or't'..j,unpack(k))local f\
=tonumber(table.remove(v,1)or nil)for i,h in ipairs(v)do local b=tonumber(h or 0)if b>a and b<4e15 then c,d=math.min(c o\
r b,b),d+1 table.insert(o,string.format('%.0f',math.max(b,n)))table.insert(o,k[i])elseif h then z=X(b)end end if g and n\
ot r:find(' '..ARGV[3]..' ',1,true)then c=nil end if g and f and c then local a,s=C(f)d=math.max(d,a)table.insert(o,Z(d,\
math.max(s,c,n)))table.insert(o,'o'..m)elseif not g and f~=e*1024 then c=nil if f and f<0 then z=aj(-f/1024%10)end end e\
nd if not c then return{'lost',a,P(j,h=='semaphore'and math.huge or e,z),''}end if n>c then c,g=n,math.max(g,n)if#o>0 th\
en redis.call('ZADD',i,unpack(o))N()end x()end return{'extended',a,c-a,d}",replies:{extended:{remaining:"integer",holds:"\
integer"},lost:{reason:"text",names:"text"},late:{}}};var ue={lua:`local q=tonumber(ARGV[4])
`+x+M+O+R+N+q+We+"local b,m=ARGV[2],ARGV[3]if A(m)then return{'kind',a,h}end if not y(b)then local c=m=='fair'and next(l\
)and redis.call('ZRANGEBYSCORE',i,-4e15,-a,'WITHSCORES','LIMIT',0,1)[2]local d if m=='latch'then redis.call('ZCARD',i)el\
seif not c then d=K()end local u=g>a and(m~='fair'and m~='rw'or next(l)or d)for a in pairs(l)do E(a,'F')end E(b,u and'F'\
or'N')h,f,g,r=m,math.max(f+1,a),c and-c or 0,c and r or''S(true)if m=='latch'then redis.call('UNLINK',i)else N()end end \
return{'forced',a,f,y(b)=='F'and 1 or 0}",replies:{forced:{token:"integer",had:"integer"},kind:{kind:"text"},late:{}}};var ct={lua:`local q=0
`+x+O+R+vn+Er+"return{'live',a,f,g-a,d,math.max(s-a,0),'='..r,j,m,c}",replies:{free:{token:"integer"},live:{token:"integ\
er",remaining:"integer",holds:"integer",left:"integer",body:"text",many:"integer",waiting:"integer",behind:"integer"},kind:{
kind:"text"}}};var ut={lua:`local q=tonumber(ARGV[4])
`+x+M+O+R+q+`local m='fair'
`+ee+Cn+Fe+"local b,o,k=ARGV[2],ARGV[5],tonumber(ARGV[8])if A(m)then return{'kind',a,h}end if y(b)then return{'closed',a\
}end local s,d=J()local u,P=math.max(s-a,0),math.max(a-f,0)local c,z=l[b],{'held',a,u,P,w,0,1,0}if not c then if d>0 and\
 o~=''and o==B then if ARGV[7]=='0'then return{'not_reentrant',a,u}end if d==64 then return{'too_many_holds',a}end else \
local j,c,e='p'..b,0,{}local function f()local c=redis.call('ZREVRANGEBYSCORE',i,k+4.5e15,4.5e15,'WITHSCORES','LIMIT',0,\
101)return c[1]==j and c[2]-4.5e15==k and#c/2-1 end if k>0 then c=f()if not c then return z end if c>0 and d==0 then e=r\
edis.call('ZRANGEBYSCORE',i,-a,a,'LIMIT',0,8)if e[1]then an(e,b)c=f()end end elseif n>a and(k==0 or d==0)then c=am()end \
if d>0 or c>0 then local m=0 if k>=0 then m=#e==8 and Q or af(c,w,v,P,u)local d,S=a+m+ARGV[9]*1000,k==0 local f=S and c=\
=0 or d>math.min(n,g)if S then k=math.max(C+1,a)end if ah(b,k,d)>1 then C=k elseif S then k,c=redis.call('ZSCORE',i,j)-4\
.5e15,math.max(c-1,0)end if f then n=math.max(n,2*d-a)g=math.max(g,n)redis.call('PEXPIRE',i,math.ceil((n-a)/1000)+q)end \
if S or f or T then H()x()end end return{'held',a,u,P,w,c,m,k}end if k==C then n=0 end end if d==0 then f,B,R=math.max(f\
+1,a),o,ARGV[6]end c=a+ARGV[3]*1000 l[b],g,d=c,math.max(g,c),d+1 H()if k>0 or d>1 then ag(b)end x()end return{'granted',\
a,f,c-a,d}",replies:{granted:{token:"integer",remaining:"integer",holds:"integer"},held:{remaining:"integer",age:"intege\
r",tenure:"integer",ahead:"integer",back:"integer",ticket:"integer"},not_reentrant:{remaining:"integer"},too_many_holds:{},
closed:{},kind:{kind:"text"},late:{}}};var mt={lua:`local q,k=tonumber(ARGV[3]),tonumber(ARGV[4])
`+x+O+R+V+N+de+q+`local m='fair'
`+ee+Cn+Fe+"local b,e=ARGV[1],tonumber(ARGV[2])local p=e==0 local d=l[b]local o=y(b)if p and not o and A(m)then return V\
(b,k)end if not o and(p or d and f==e and not A(m))then E(b,p and'C'or'R',k)o='R'if p then ag(b)n=ao()elseif not next(l)\
then v=v+(math.abs(a-e-w)-v)/8 L(a-e)end end if T and not A(m)then g=math.min(g,math.max(J(),n,a))H()local c=S(d)if c th\
en return c end end if p or o=='R'then return{'closed',a}end return{'lost',a,P(b,e,nil,'unknown')}",replies:{closed:{},lost:{
reason:"text"}}};var pt={lua:x+M+ze+`local q=tonumber(ARGV[4])local m,b,o='lock',ARGV[2],ARGV[5]local c=a+ARGV[3]*1000 local e,p,n,j,u,z,\
k=0,c,0,{},{}for i,O in ipairs(KEYS)do local G=v[i]
`+R+ee+qn+"if A(m)then return{'kind',a,h}end if y(b)then return{'closed',a}end local s,d=J()local H=l[b]if d==0 then e=m\
ath.max(e,f+1,a)elseif H or o~=''and o==B then if not H then if ARGV[7]=='0'then return{'not_reentrant',a,s-a}end if d==\
64 then return{'too_many_holds',a}end z=true end e=math.max(e,f)table.insert(j,f)else k=k or{'held',a,s-a,math.max(a-f,0\
),w,C}end n=math.max(n,H and d or d+1)if H then p=math.min(p,H)elseif not k then table.insert(u,v[i]and#u+1 or 1,functio\
n()if d==0 then M(ARGV[8]*1000)B,R=o,ARGV[6]D()end f,l[b],g=e,c,math.max(s,c)return x(redis.pcall),O end)end end if k th\
en return z and{'not_reentrant',a,0}or k end for H,f in ipairs(j)do if f~=e or#j<#KEYS then return{'not_reentrant',a,0}e\
nd end local d={}for H,x in ipairs(u)do local f,O=x()if f and f.err then for H,a in ipairs(d)do redis.call('DEL',a)end r\
eturn f end table.insert(d,O)end return{'granted',a,e,p-a,n}",replies:{granted:{token:"integer",remaining:"integer",holds:"\
integer"},held:{remaining:"integer",age:"integer",tenure:"integer",queue:"integer"},not_reentrant:{remaining:"integer"},
too_many_holds:{},closed:{},kind:{kind:"text"},late:{}}};var ft={lua:x+ze+`local b,e,q,k=ARGV[1],tonumber(ARGV[2]),tonumber(ARGV[3]),tonumber(ARGV[4])local p=e==0 local m,j,c,z=\
'lock',nil,nil,''for i,O in ipairs(KEYS)do local G=v[i]
`+R+V+N+ee+"local d=l[b]local o=y(b)local n=A(m)if not o and(p or d and f==e and not n)and g<math.huge then E(b,p and'C'\
or'R',k)o='R'if not p and not next(l)then L(a-e)end end if T and(p or not n)then if not n then g=math.min(g,math.max(J()\
,a))D()end c=S(d and not n)or c end if g==math.huge or not p and o~='R'then j=j or P(b,e,nil,'unknown')z=z..i..' 'end en\
d if c then return c end if j then return{'lost',a,j,z}end return{'closed',a}",replies:{closed:{},lost:{reason:"text",names:"\
text"}}};var yt={lua:x+M+ze+`local b,e,q=ARGV[2],tonumber(ARGV[3]),tonumber(ARGV[5])local n=a+ARGV[4]*1000 local p,d,j,z,u=math.h\
uge,0,nil,'',{}for i,O in ipairs(KEYS)do local G=v[i]
`+R+V+"local c=l[b]if not c or f~=e then j=j or P(b,e)z=z..i..' 'if T then x(redis.pcall)end else if n>c then c=n l[b],g\
=c,math.max(g,c)table.insert(u,x)end p=math.min(p,c)d=math.max(d,select(2,J()))end end if j then return{'lost',a,j,z}end\
 for H,x in ipairs(u)do x()end return{'extended',a,p-a,d}",replies:{extended:{remaining:"integer",holds:"integer"},lost:{
reason:"text",names:"text"},late:{}}};var Pe={lua:`local b,e,q=ARGV[2],tonumber(ARGV[3]),tonumber(ARGV[5])
`+x+M+O+R+V+"local c=l[b]if not c or f~=e then if T then x(redis.pcall)end return{'lost',a,P(b,e)}end local n=a+ARGV[4]*\
1000 if n>c then c=n l[b],g=c,math.max(g,c)x()end return{'extended',a,c-a,select(2,J())}",replies:{extended:{remaining:"\
integer",holds:"integer"},lost:{reason:"text"},late:{}}};var bt={lua:`local q=tonumber(ARGV[5])
`+x+M+O+R+En+q+"local b,e='z'..ARGV[2],tonumber(ARGV[3])if A('latch')then return{'kind',a,h}end if not j or e<c or e>f t\
hen return{'lost',a}end if e<f then return{'left',a,0}end if u>0 and redis.call('ZADD',i,'NX',0,b)==1 then u,g=u-1,math.\
max(g,a+ARGV[4]*1000)D()local f=x(redis.pcall)if f and f.err then redis.call('ZREM',i,b)return f end N()end return{'left\
',a,u}",replies:{left:{left:"integer"},lost:{},kind:{kind:"text"},late:{}}};var gt={lua:`local q=tonumber(ARGV[5])
`+x+M+O+R+En+"local b,o=ARGV[2],y(ARGV[2])if A('latch')then return{'kind',a,h}end if o=='N'then return{'refused',a}end i\
f o or l[b]then return{'set',a}end if u>0 then E(b,'N')x()return{'refused',a}end redis.call('ZCARD',KEYS[2])for a in pai\
rs(l)do E(a,'S')end f=math.max(f+1,a)g=math.max(g,a+ARGV[4]*1000)u,d,l[b]=ARGV[3],ARGV[3],g if not j then c=f end D()x()\
redis.call('UNLINK',KEYS[2])return{'set',a}",replies:{set:{},refused:{},kind:{kind:"text"},late:{}}};var sn={lua:`local q=tonumber(ARGV[4])local m='lock'local b,o=ARGV[2],ARGV[5]local O=KEYS[1]local G=redis.call('GET',O)l\
ocal i,K=ARGV[1]+0,ARGV[9]+0 local j,c,e,k=(G or''):match('^lock 1 (%d+) %S+ %S* [^:]+:(%d+), .- (%d+) (%d+)$')if K<i an\
d(c or 0)-i>0 and o==''and not G:find(b:sub(25),1,true)then local a=-K return{'held',a,c-K,K-j,e+0,k+0}end
`+x+M+R+ee+qn+"if A(m)then return{'kind',a,h}end if y(b)then return{'closed',a}end local s,d=J()local c=l[b]if not c the\
n if d==0 then M(ARGV[8]*1000)f,B,R=math.max(f+1,a),o,ARGV[6]D()elseif o==''or o~=B then return{'held',a,s-a,math.max(a-\
f,0),w,C}elseif ARGV[7]=='0'then return{'not_reentrant',a,s-a}elseif d==64 then return{'too_many_holds',a}end d,c=d+1,a+\
ARGV[3]*1000 l[b],g=c,math.max(s,c)x()end return{'granted',a,f,c-a,d}",replies:{granted:{token:"integer",remaining:"inte\
ger",holds:"integer"},held:{remaining:"integer",age:"integer",tenure:"integer",queue:"integer"},not_reentrant:{remaining:"\
integer"},too_many_holds:{},closed:{},kind:{kind:"text"},late:{}}};var Ye={lua:`local q,k=tonumber(ARGV[3]),tonumber(ARGV[4])local m='lock'
`+x+O+R+V+N+de+ee+"local b,e=ARGV[1],tonumber(ARGV[2])local p=e==0 local d=l[b]local o=y(b)if p and not o and A(m)then r\
eturn V(b,k)end if not o and(p or d and f==e and not A(m))then E(b,p and'C'or'R',k)o='R'if not p and not next(l)then L(a\
-e)end end if T and not A(m)then g=math.min(g,math.max(J(),a))D()local c=S(d)if c then return c end end if p or o=='R'th\
en return{'closed',a}end return{'lost',a,P(b,e,nil,'unknown')}",replies:{closed:{},lost:{reason:"text"}}};var ht={lua:`local q=tonumber(ARGV[4])
`+x+M+O+R+"local c,e=l[ARGV[2]],tonumber(ARGV[3])if not c or e>a+86400e6 then return{'lost',a}end if f>e then return{'be\
hind',a,f}end if f<e then f=e x()end return{'committed',a,c-a}",replies:{committed:{remaining:"integer"},behind:{token:"\
integer"},lost:{},late:{}}};var kt={lua:`local q=tonumber(ARGV[5])
`+x+M+O+R+`if h=='once'and g>tonumber(ARGV[8])then g=math.max(g,a+1)end
`+Be+"local b,d,e=ARGV[2],tonumber(ARGV[6]),ARGV[7]if A('once')then return{'kind',a,h}end if y(b)then return{'closed',a}\
end if m==''then m=e elseif e~=''and e~=m then return{'mismatch',a}end if s~=''then return{'done',a,f,'='..j}end local k\
,c=next(l)if not k then if i>=d then return{'exhausted',a,i}end i,j=i+1,ARGV[9]c=a+ARGV[3]*1000 l[b],f=c,math.max(f+1,a)\
g=math.max(a+ARGV[4]*1000,c)D()x()elseif k~=b then return{'running',a,c-a}end return{'granted',a,f,c-a,i}",replies:{granted:{
token:"integer",remaining:"integer",attempt:"integer"},running:{remaining:"integer"},done:{token:"integer",result:"text"},
exhausted:{attempts:"integer"},mismatch:{},closed:{},kind:{kind:"text"},late:{}}};var wt={lua:`local q,k=tonumber(ARGV[3]),tonumber(ARGV[4])
`+x+O+R+V+N+de+Be+"local b,e=ARGV[1],tonumber(ARGV[2])local p=e==0 local d=l[b]local o=y(b)if p and not o and A('once')t\
hen return V(b,k)end if not o and(p or d and f==e and not A('once'))then if p and d then i=i-1 end E(b,p and'C'or'R',k)i\
f not p and k>0 then E(b,'R',0)end o='R'end if T and not A('once')then D()if i==0 then g,r=0,''end local c=S(d)if c then\
 return c end end if p or o=='R'then return{'closed',a}end return{'lost',a,P(b,e)}",replies:{closed:{},lost:{reason:"tex\
t"}}};var xt={lua:`local q=tonumber(ARGV[5])
`+x+M+O+R+V+Be+"local b,e=ARGV[2],tonumber(ARGV[3])if s~=b then local z=y(b)if i==0 or f~=e or z and z~='E'then return{'\
lost',a,P(b,e)}end if l[b]then E(b,'R',0)end s,j=b,ARGV[6]g=a+ARGV[4]*1000 D()x()end return{'completed',a}",replies:{completed:{},
lost:{reason:"text"},late:{}}};var ln={lua:`local q=tonumber(ARGV[4])
`+x+M+O+R+N+"local b=ARGV[2]if A(ARGV[3])then return{'kind',a,h}end if not y(b)then for a in pairs(l)do E(a,'F')end E(b,\
g>a and'F'or'N')h,f,g,r=ARGV[3],math.max(f+1,a),0,''S(true)end return{'forced',a,f,y(b)=='F'and 1 or 0}",replies:{forced:{
token:"integer",had:"integer"},kind:{kind:"text"},late:{}}};var Le={lua:`local q=0
`+x+O+R+vn+"return{'live',a,f,g-a,d,math.max(s-a,0),'='..r}",replies:{free:{token:"integer"},live:{token:"integer",remaining:"\
integer",holds:"integer",left:"integer",body:"text"},kind:{kind:"text"}}};var Rt={lua:`local q=tonumber(ARGV[4])
`+x+M+O+R+q+We+$e+Ze+"local b,V=ARGV[2],ARGV[5]local j,o,M=b:sub(1,36),b:match('^([^@]*)@?(.*)$',37)local c,m=a+ARGV[3]*\
1000,ARGV[7]*1000 if A('rw')then return{'kind',a,h}end if y(j)then return{'closed',a}end local s,d=J()if l[j]then return\
{'granted',a,w,l[j]-a,d}end local H,Y=o~=''and o==B,g>a or h=='none'local S=d>0 and H local e=h~='rw'and h~='none'local \
k,u,v,p={},{},{},{[o]=0}local function X(m,h)local d,s=C(h)if d>p[m]then table.insert(u,Z(d-p[m],s))table.insert(u,'o'..\
m)else table.insert(k,'o'..m)end end local function Q()local K,e={b,'r'..j,'o'..o,'w'..j},{}local d=redis.call('ZRANGEBY\
SCORE',i,-a,a,'WITHSCORES','LIMIT',0,50)for i=1,#d,2 do local b,c=d[i],d[i+1]+0 local m=b:match('^%x')and b:match('^[^@]\
*',37)if m and not p[m]then p[m]=0 table.insert(K,'o'..m)table.insert(e,m)end if m then p[m]=p[m]+1 end if m and b:find(\
'@',37,true)then table.insert(k,'t'..b:sub(1,36))end if m and c>a-q*1000 then table.insert(u,string.format('%.1f',ac(c))\
)table.insert(u,b)elseif b~='w'..j then table.insert(k,b)end end v=redis.call('ZMSCORE',i,unpack(K))for i,m in ipairs(e)\
do X(m,v[i+4])end end local function ab(c,l)if e then redis.call('UNLINK',i)k,u={},{}end local b={c}for H,z in ipairs(u)\
do table.insert(b,z)end for H,z in ipairs(l)do table.insert(b,z)end redis.call('ZADD',i,unpack(b))if#k>0 then redis.call\
('ZREM',i,unpack(k))elseif not e then redis.call('ZREMRANGEBYSCORE',i,4e15,ac(a-q*1000))end D()N()x()end local function \
P(z,h,b)if m>0 and b then local k=a+m+1000000 g=math.max(g,k)if h==0 then n=math.max(n,k)end if p[o]>0 then X(o,v[3])end\
 local c=tonumber(v[b=='r'and 2 or 4]or 0)ab(#u==0 and'LT'or nil,{string.format('%.0f',math.min(h-k,c)),b..j})end return\
{'held',a,z-a,math.max(a-f,0),m}end if V=='read'then Q()local m,K=tonumber(v[1]or 0),tonumber(v[2]or 0)local h,q=C(v[3])\
h=math.max(h-p[o],0)local r=(d==0 or S)and aa()>0 local u=r and q>a and h or 0 local V=m>0 or S or u>0 local e=V and H a\
nd w>0 and w or z if m>0 then if m<=a or m>4e15 or e==0 then return{'closed',a}end return{'granted',a,e,m-a,math.max(u,1\
)}end if V and ARGV[6]=='0'then return{'not_reentrant',a,g-a}end if u>=64 then return{'too_many_holds',a}end if d>0 and \
not S then for H,b in ipairs(redis.call('ZRANGEBYSCORE',i,-4.5e15-a,-4.5e15,'LIMIT',0,math.max(50-#k,0)))do if b~='r'..j\
 then table.insert(k,b)end end return P(s,-4.5e15,'r')end if not V then if n>a and K>=-4.5e15-a then return P(g)end if n\
ot r then z=0 end if H or not r then w=0 end e=z end if e==0 then f=math.max(f+1,a)e,z=f,f end if K<0 then table.insert(\
k,'r'..j)end g=math.max(g,c)local l={string.format('%.0f',c),b}if o~=''then l[3],l[4]=Z(h+1,math.max(q,c)),'o'..o end if\
 M~=''then table.insert(l,string.format('%.0f',a*1024))table.insert(l,'t'..j)end ab(nil,l)return{'granted',a,e,c-a,u+1}e\
nd if V=='steal'then if not e then K()end for a in pairs(l)do E(a,'F')end d,n=0,0 elseif d>0 then if not H then if m>0 t\
hen Q()end return P(s,0,'w')end if ARGV[6]=='0'then return{'not_reentrant',a,s-a}end if d==64 then return{'too_many_hold\
s',a}end elseif Y then local z=aa()if z>0 then Q()local k,q=C(v[3])if q>a and k>p[o]then return{'upgrade_refused',a}end \
return P(z,0,'w')end z=L()if z>0 then return P(z,0,'w')end end if V~='steal'then ae(j)end if d==0 then f=math.max(f+1,a)\
w,z,B,R=f,0,o,M end l[j],g=c,math.max(g,c)D()x()if e then redis.call('UNLINK',i)elseif Y then redis.call('ZREM',i,'w'..j\
)N()end return{'granted',a,w,c-a,d+1}",replies:{granted:{token:"integer",remaining:"integer",holds:"integer"},held:{remaining:"\
integer",age:"integer",back:"integer"},not_reentrant:{remaining:"integer"},too_many_holds:{},upgrade_refused:{},closed:{},
kind:{kind:"text"},late:{}}};var At={lua:`local q,k=tonumber(ARGV[3]),tonumber(ARGV[4])
`+x+O+R+V+N+de+q+ce+$e+Ze+"local b,e=ARGV[1],tonumber(ARGV[2])local j,m=b:sub(1,36),b:match('^[^@]*',37)local p=e==0 loc\
al o=y(j)if p and not o and A('rw')then return V(j,k)end local v=redis.call('ZMSCORE',i,b,'w'..j,'o'..m)local c,d,s=tonu\
mber(v[1]or 0),C(v[3])local u=c>a and c<4e15 if not o and(p or l[j]and f==e or u and(e==w or e==z))then local Q,e={'w'..\
j,'r'..j},l[j]or u E(j,p and'C'or'R',k)o='R'if v[2]then ae(j)end if u then d=d-1 table.insert(Q,b)table.insert(Q,'t'..j)\
if d<=0 then table.insert(Q,'o'..m)end end if d<=0 and m==B and not next(l)then w=0 end redis.call('ZREM',i,unpack(Q))if\
 u and d>0 then redis.call('ZADD',i,Z(d,s),'o'..m)end local t=aa()g=math.min(g,math.max(a,J(),t,n,L()))if h=='rw'then D(\
)end N()local c=S(e and t==0)if c then return c end end if p or o=='R'then return{'closed',a}end return{'lost',a,P(j,e,c\
>0 and not u and X(c),'unknown')}",replies:{closed:{},lost:{reason:"text"}}};var St={lua:`local q=tonumber(ARGV[4])
`+x+M+O+R+N+q+We+Ze+"local b,u=ARGV[2],false if A('rw')then return{'kind',a,h}end if not y(b)then local t=aa()if ARGV[3]\
=='read'then u=t>0 if not next(l)then w=0 end if u then K()t,n,z=0,0,0 end else for a in pairs(l)do u=true E(a,'F')end i\
f t==0 then w=0 end end E(b,u and'F'or'N')if not next(l)then f=math.max(f+1,a)end if not(u and ARGV[3]=='read')then t=ma\
th.max(t,n,L())end g=math.min(g,math.max(a,J(),t))D()N()local c=S(t<=a)if c then return c end end return{'forced',a,f,y(\
b)=='F'and 1 or 0}",replies:{forced:{token:"integer",had:"integer"},kind:{kind:"text"},late:{}}};var Ot={lua:`local q=tonumber(ARGV[7])
`+x+M+O+R+q+ce+Re+Tn+"local b,m=ARGV[2],ARGV[3]local j,s=b:sub(1,36),tonumber(b:match('^%d+',38))or 1 local c=m=='semaph\
ore'if A(m)then return{'kind',a,h}end local e,o=M(redis.call('ZSCORE',i,'t'..j))if y(j)or o==3 or c and o then return{'c\
losed',a}end if o then return{'granted',a,f,g-a,s}end if e>0 then return V(b,e)or{'closed',a}end C=math.max(C-math.max(a\
-f-w,0),0)local d=B or tonumber(ARGV[5])if c and al(d,s)then return{'short',a,d or 0}end d=d or 0 local k=ae()local p=d-\
k if p<s then if k==0 then return{'held',a,0,math.max(math.min(a-f,ARGV[8]*1000),0),w,C}end local b,c=ai()local j=M(redi\
s.call('ZSCORE',i,'t'..b:sub(1,36)))local z=math.ceil(w/math.max(math.floor(k/s),1))return{'held',a,c-a,z-w+a-j,z,C}end \
C=math.max(C+math.min((ARGV[8]*1000-C)/8,3*w),0)if c then return S(b,s,m,ARGV[4],ARGV[6],ac(s+25,-1024*a))end if not B t\
hen R,n=a,0 end B,n=d-s,n+s return S(b,s,m,ARGV[4],ARGV[6],ab())",replies:{granted:{token:"integer",remaining:"integer",
holds:"integer"},held:{remaining:"integer",age:"integer",tenure:"integer",queue:"integer"},short:{permits:"integer"},closed:{},
kind:{kind:"text"},late:{}}};var Mt={lua:x+`local q=math.max(ARGV[3],math.ceil((ARGV[4]-a)/1000))
`+O+R+V+N+de+q+ce+Re+"local ah,aa,ag=ARGV[1]:match('^([^,]+),([^,]+),(.+)$')local b,e=ah or ARGV[1],tonumber(ARGV[2])loc\
al j,ac=b:sub(1,36),aa or ARGV[1]:sub(1,36)local p,m=e==0,h=='semaphore'or h=='counter'local o=y(j)if not m and h~='none\
'then if p then return o and{'closed',a}or V(j,ARGV[4]+0)end return{'lost',a,P(j,e)}end local k,L,c=Y(b),{},0 local K,Q=\
{'t'..j,'t'..ac},{}for i in(ag or''):gmatch('%d+')do L[tonumber(i)],c=true,c+1 end for i,b in ipairs(k)do K[i+2]=b end l\
ocal v=redis.call('ZMSCORE',i,unpack(K))local af=M(v[1])local H,s=M(v[2])local d,z=0,s and aj(s)for i,b in ipairs(k)do l\
ocal c=tonumber(v[i+2]or 0)if c>a then d=d+1 if L[i]then table.insert(Q,b)end elseif c>0 then z=z or X(c)end end local u\
=aa and d-c or 0 if p and s==1 and h=='counter'then if B and-tonumber(v[2])/1024-ARGV[3]*1000+10>=R then local a=b:match\
('^%d+',38)B,n=math.min(B+a,2^53-1),math.max(n-a,0)end s=nil end s=s or not aa and o and 3 or nil if not s and(p or d>0 \
and af==e and#Q==c)then s=1 local l={Z(p and 3 or 1),'t'..ac}if u==0 then Q=k for c in('tpw'):gmatch('.')do table.insert\
(Q,c..j)end l[3],l[4]=l[1],'t'..j if d>0 and not p then local b=a-e w=math.max(w==0 and b or w+(b-w)/8,0)end end for H,b\
 in ipairs(ab())do table.insert(Q,b)end redis.call('ZREM',i,unpack(Q))local c=redis.pcall('ZADD',i,unpack(l))if h=='sema\
phore'and not B then local s=redis.call('ZREVRANGEBYSCORE',i,4e15,a+1,'WITHSCORES','LIMIT',0,1)g=math.min(g,math.max(a,s\
[2]or 0,n))end if m then D(h)end N()local f=x(redis.pcall)if d==0 then for H,c in ipairs({c,f})do if type(c)=='table'and\
 c.err then return c end end end end if p or s==1 then return{'closed',a}end return{'lost',a,P(j,math.huge,z)}",replies:{
closed:{},lost:{reason:"text"}}};var Pt={lua:`local q=tonumber(ARGV[6])
`+x+M+O+R+q+ce+Re+Tn+Fe+"local b,k=ARGV[2],tonumber(ARGV[7])local j,s=b:sub(1,36),tonumber(b:match('^%d+',38))or 1 if A(\
'semaphore')then return{'kind',a,h}end local v=redis.call('ZMSCORE',i,'t'..j,'p'..j)local e,o=M(v[1])if y(j)or o then re\
turn{'closed',a}end if e>0 then return V(b,e)or{'closed',a}end local d=B or tonumber(ARGV[4])if al(d,s)then return{'shor\
t',a,d or 0}end local K=v[2]and v[2]-4.5e15 if k>0 and K~=k then return{'held',a,0,0,0,0,1,0}end local L,p,H=0,{},{}if n\
>a then if k<0 then L=am()else L=redis.call('ZCOUNT',i,4.5e15,string.format('(%.0f',(K or 3.5e15)+4.5e15))end end if L>0\
 and k>=0 then p,H=ac(8,-a)if#p>0 then redis.call('ZREM',i,unpack(p))end end if L==0 and d-ae()>=s then if K then p={'p'\
..j,'w'..j}elseif n<=a then p,H=ac(s+25,-1024*a)end return S(b,s,'semaphore',ARGV[3],ARGV[5],p,H)end local u,P,c=0,math.\
max(a-f,0),nil if#p==0 then c=select(2,ai())if c then u=c-a end end local z=math.ceil(w/math.max(math.floor(d/s),1))loca\
l m=0 if k>=0 then m=#p>0 and Q or af(L,z,z/4,P,c and u or aa)R=K and R or math.max(R+1,a)K=K or R local d=a+m+ARGV[8]*1\
000 n=math.max(n,d)if h~='semaphore'and h~='none'then redis.call('UNLINK',i)end ah(j,K,d,unpack(H))D('semaphore')N()x()e\
nd return{'held',a,u,P,z,L,m,K or 0}",replies:{granted:{token:"integer",remaining:"integer",holds:"integer"},held:{remaining:"\
integer",age:"integer",tenure:"integer",ahead:"integer",back:"integer",ticket:"integer"},short:{permits:"integer"},closed:{},
kind:{kind:"text"},late:{}}};var Lt={lua:`local q=tonumber(ARGV[8])
`+x+M+O+R+q+Re+"local b,m,e=ARGV[2],ARGV[3],ARGV[4]if A(m)then return{'kind',a,h}end local v=redis.call('ZMSCORE',i,'t'.\
.b,'n'..b)local H,s=M(v[1])local c=(v[2]or 0)/2^60 if not s then local d,j,o=B or tonumber(ARGV[6]),tonumber(ARGV[5]),B \
s=1 local k=e=='give'if k and not B then s=2 elseif k and m=='counter'and ARGV[6]~=''and j>n then s=2 elseif e=='try'and\
 B then s=2 elseif e=='drain'then c=math.max((d or 0)-ae(),0)if c>0 then B=d-c end elseif e=='add'or k then B=math.max(m\
ath.min((d or 0)+j,2^53-1),1-2^53)else B=j end if B then g=math.max(g,a+ARGV[7]*1000)end if m=='counter'and B and(not o \
or e=='set')then R,n=a,0 end if m=='counter'and k and s==1 then n=math.max(n-j,0)end if m=='counter'then f=math.max(f+1,\
a)end if h==m or h=='none'then redis.call('ZREM',i,'t'..b,unpack(ab()))else redis.call('UNLINK',i)end local l={Z(s),'t'.\
.b}if c>0 then l[3],l[4]=string.format('%.0f',c*2^60),'n'..b end redis.call('ZADD',i,unpack(l))D(m)N()x()end if s==2 the\
n return{'refused',a}end return{'done',a,c}",replies:{done:{count:"integer"},refused:{},kind:{kind:"text"},late:{}}};var Tr=262144;function So(e){let n=typeof e;if(/^(bi|f|sy)/.test(n))return`a ${n}`;if(n==="number")return Number.isFinite(
e)?void 0:`${e}`;if(n!=="object"||!e||Array.isArray(e))return;let t=Object.getPrototypeOf(e);return t&&Object.getPrototypeOf(
t)?`an instance of ${e.constructor?.name}`:void 0}function dn(e){let n=JSON.stringify(e??null,(r,o)=>{let a=So(o);if(a)throw new TypeError(
`the result is not JSON: ${a}${r&&` at "${r}"`}`);return o}),t=ie(n).length;if(t>Tr)throw new RangeError(`the result has\
 ${t} bytes of JSON; at most ${Tr} are stored`);return n}var Oo=1e15,Gn={kind:"once",extend:Pe,close:wt};function vr(e,n,t){let r=W(e,Gn.kind,n,t,"lease ttl maxAttempts fingerpr\
int group"),{retentionMs:o,holder:a}=r.connection,i=ve(t.lease??`${r.connection.leaseMs}ms`),s=qe(t.ttl??"24h"),d=Math.min(
_(t.maxAttempts,"maxAttempts"),Oo),{fingerprint:l}=t;l!==void 0&&K(l,"fingerprint",0,1/0);let c=B(r,Gn),u=(f,p,y)=>r.emit?.(
{type:"turn",status:f,token:y?.lease.token,attempt:p,heldMs:y?.heldMs()});function m(f,p,y,h){let{lease:w}=f;return{status:"\
started",lease:w,attempt:h,async complete(k){let g=[p,y,s,o,dn(k)],b=await P(r,xt,g,{operation:"complete",waits:!0});if(u(
b.status,h,f),b.status==="lost")throw new Q(n,b.reason);f.finish()},async fail(){let k=await w.release();return k&&u("fa\
iled",h,f),k}}}return{place:r,async begin(f={},p="signal waitUntil",y={}){G(f,p);let{waitMs:h}=y,w=await(l===void 0?"":_e(
l)),k=J(f),g=await on({place:r,operation:"begin",close:c.close,terms:{...y,leaseMs:i,signal:f.signal,waitUntil:k,blockedBy:S=>S.
status==="running"?{remainingMs:S.remaining/1e3,ageMs:0,tenureMs:0,queueMs:0}:void 0},async ask({id:S,before:L},A){let C=[
S,i,s,o,d,w,L?.now??9e15,a],E=await P(r,kt,C,A);return A.doubt&&E.status!=="running"&&(A.doubt.queued=!1),E}});if(g.status===
"unanswered")throw an(r,h??0,g);let{status:b}=g;if(b==="granted"){let{id:S,doubted:L,token:A,attempt:C}=g,E={place:r,...c,
id:S,token:A,leaseMs:i,doubted:L,works:1},I=await An(E,{...g,holds:1},k,f.signal);return u("started",C,I),m(I,S,A,C)}if(u(
b),b==="running"){if(h!==void 0)throw an(r,h,g);return{status:b,retryAfterMs:Math.ceil(g.remaining/1e3)}}return b==="don\
e"?{status:b,result:JSON.parse(g.result.slice(1)),token:g.token}:b==="exhausted"?{status:b,attempts:g.attempts}:{status:b}}}}var Ct=5,_n=2e3,Et=e=>{let{polls:n,random:t,roundTripMs:r,ageMs:o,queueMs:a,waitedMs:i}=e;if(e.ahead!==void 0)return(e.backMs??
_n)-r;let s=e.tenureMs||50,d=s+r+1,l=Math.max(0,s-o),c=.9*a-i-l,u=i>1.5*a+d?0:Math.min(150,16*n),m=Math.floor((c>u?c:u*t())/
d),f=.5+t()**2*Math.max(5,Math.min(250,s/10),(o-s)/2),p=l-r+m*d+f;return Math.min(Math.max(Ct,p),_n,e.remainingMs+1)},cn=(e=Ct*
10,n=_n,t=2)=>({polls:r,random:o,remainingMs:a})=>Math.min(e+(Math.min(e*t**r,n)-e)*o(),a+1);function Mo(e={}){G(e,"floo\
r cap factor");let{floor:n=Ct*10,cap:t=_n,factor:r=2}=e,o=T(n,"floor"),a=T(t,"cap",o+1);if(typeof r!="number")throw new TypeError(
"factor must be a number");if(!(r>1))throw new RangeError("factor must be above 1");return cn(o,a,r)}function Po(e){let n=T(
e,"delay");return({random:t,remainingMs:r})=>Math.min(n*(.9+t()/5),r+1)}var me="lease reentryKey label signal waitUntil replicas ttl>lease owner>reentryKey",Tt="backoff wait timeout>wait maxPo\
lls attempts>maxPolls",un=`${me} ${Tt}`,pe=`${un} reentrant group`,Qe=e=>e.replace(" replicas",""),In=e=>e&&_e(e);function Lo(e){
if(e)return G(e,"min timeout"),{min:_(e.min??0,"replicas.min",1,100),timeoutMs:T(e.timeout??"1s","replicas.timeout")}}function vt(e,n,t,r=!0){
let o=e.reentryKey??n.reentryKey,a=e.lease??n.lease;return{reentryKey:o===void 0?"":K(o,"reentryKey"),leaseMs:a===void 0?
t.leaseMs:ve(a),waitMs:r?T(e.wait??n.wait??1e4,"wait",0):0,maxPolls:_(e.maxPolls??n.maxPolls,"maxPolls"),backoff:F(e.backoff??
n.backoff??Et,"backoff"),note:Ie(e.label??n.label,"label")+t.holder,signal:e.signal??n.signal,waitUntil:J(e,n),replicas:Lo(
e.replicas??n.replicas)}}var Co=e=>Ge(e.onUnavailable??"refuse","onUnavailable","refuse or run")==="run";function mn(e){if(!(e instanceof v))return!1;
switch(e.code){case"outcome_unknown":case"rate_limited":case"no_quorum":return!0;case"lock_timeout":return mn(e.cause);case"\
redis_error":return at.test(e.message);default:return!1}}function Eo(e){if(!mn(e))return!1;let n=e.cause instanceof Q,t=e.
remainingMs!==void 0;return!n&&!t}async function jn({name:e,emit:n},t,r){let o=Co(t);return r().catch(a=>{if(!o)throw a;
if(!Eo(a))throw mn(a)?To(e,a):a;n?.({type:"unprotected",why:a.code})})}function To(e,n){if(n instanceof ge||n.remainingMs===
void 0)return n;let t=`"${e}" was held by another client when the server last answered`;return new ge(t,n.remainingMs,n)}var Vn=Symbol(),vo=e=>e.status==="held"?{remainingMs:e.remaining/1e3||1/0,ageMs:(e.age??0)/1e3,tenureMs:(e.tenure??0)/1e3,
queueMs:(e.queue??0)/1e3,ahead:e.ahead,backMs:e.back&&e.back/1e3}:void 0,qt=({answers:e})=>Number(e?.[1]?.result)||0;async function qo({
place:e,id:n,token:t,leaseMs:r,extend:o},{min:a,timeoutMs:i},s,d){let l=0;try{let u=await o(n,t,r,{operation:"replicate",
behind:[["WAIT",a,i]],moreMs:i,signal:s,budgetMs:.75*le(e.connection)-d});l=qt(u),s?.throwIfAborted();let{reason:m="expi\
red",remaining:f}=u;if(!(u.since()<ke(f)))throw new Q(e.name,m);if(l>=a)return u}catch(c){if(!(c instanceof U))throw c}throw new v(
"not_replicated",`${l} of ${a} replicas had "${e.name}" within ${i} ms`)}function z(e,n){let{place:t,own:r,suffix:o,anew:a,
parts:i,takes:s=me}=e,{connection:d}=t,l=`${s} ${Tt}`,c=(i??[e]).flatMap(m=>m.uses??xe(m.place));vt({},n,d),De(c);async function u(m={},f=s){
G(m,f);let p=f!==s,y=vt(m,n,d,p),{leaseMs:h,waitMs:w,waitUntil:k,signal:g,replicas:b}=y,S=Object.assign(y,{reentryKey:await In(
y.reentryKey),own:r?.(m),blockedBy:vo});De(c),On(c);let L=a?.()??e,A=await on({place:t,operation:"acquire",suffix:o?.(S),
terms:S,ask:L.ask,close:L.close});if(A.status==="granted"){let{id:C,token:E,doubted:I,waitedMs:j}=A,Y={...L,id:C,token:E,
leaseMs:h,doubted:I},te=b&&qo(Y,b,g,Math.max(j-w,0));return await An(Y,A,k,g,te)}if(A.status!=="held"&&A.status!=="unans\
wered")throw new v(A.status,`this reentry key has "${t.name}"`);if(p)throw an(t,w,A);return null}return{[Vn]:()=>i??[{...e,
defaults:n}],tryAcquire:async m=>(await u(m))?.lease??null,acquire:async m=>(await u(m,l)).lease,async run(...m){let[f,p]=gn(
m,`${Mn(t)}.run`),y=p,h=J(f,n),w=we(f.keepAlive,h),k=await jn(t,f,()=>u(f,`${l} keepAlive onUnavailable`));return k?Rn(k,
y,h,w):y(void 0)}}}var Kn=e=>P(e,Le,[e.kind],{operation:"inspect"}),Je=e=>P(e,ct,[e.kind],{operation:"inspect"});async function ne(e,n=ln){
let t=[D(),e.kind,e.connection.retentionMs],{had:r}=await P(e,n,t,{operation:"forceRelease"});return r===1}var Hn={kind:"lock",extend:Pe,close:Ye},Go=8;function pn(e){if(e.status==="free"||!e.holds)return{state:"free",token:e.token};
let{token:n,left:t,holds:r}=e,[o,a]=e.body.slice(1).split(" ");return{state:"held",token:n,remaining:t/1e3,holds:r,...o&&
{reentryKey:o},...je(a)}}function Gt(e,n,t=sn,r=B(e,Hn)){let{retentionMs:o,clock:a}=e.connection,i=n.reentrant===!1?0:1;
return z({place:e,...r,ask({id:s,leaseMs:d,reentryKey:l,note:c,waitedMs:u,polls:m,before:f},p){let y=f&&m%Go?Math.abs(f.
now)+(a.now()-f.sentAt)*1e3:9e15;return P(e,t,[s,d,o,l,c,i,u,y],p)}},n)}function fn(e,n,t={}){let r=W(e,Hn.kind,n,t,pe);return{name:n,...Gt(r,t),async inspect(){return De(xe(r)),pn(await Kn(r))},
async forceRelease(){return De(xe(r)),ne(r)}}}var Nn={kind:"fair",extend:Me,close:mt,crowd:!0};function _t(e,n,t={}){let r=X(W(e,Nn.kind,n,t,`${pe} grace`)),{retentionMs:o}=r.
connection,a=t.reentrant===!1?0:1,i=T(t.grace??1e3,"grace");return{name:n,...z({place:r,...B(r,Nn),ask({id:s,leaseMs:d,reentryKey:l,
note:c,waitMs:u,before:m},f){let p=u>0?m?.status==="held"&&m.ticket||0:-1;return P(r,ut,[s,d,o,l,c,a,p,i],f)}},t),async inspect(){
let s=await Je(r);return{...pn(s),waiters:s.status==="free"?0:s.waiting}},forceRelease:()=>ne(r,ue)}}var qr=2**53-1;function It(e,n,t={}){let r=W(e,"latch",n,t,"ttl group"),o=X(r),a=qe(t.ttl??"7d"),{retentionMs:i}=o.connection,
s=u=>P(r,Le,[o.kind],u);function d(u){let{status:m,token:f}=u,[p,y]=m==="live"?[u.body,u.remaining/1e3]:["",0],[h=0,w=0,
k=1/0]=p?p.slice(1).split(" ").map(Number):[];return{state:p?h>0?"counting":"open":"free",generation:f,count:h,of:w,remaining:y,
origin:k}}let l=async u=>d(await s({operation:u})),c=()=>new v("state_lost",`the generation of "${n}" is gone`);return{name:n,
async trySetCount(u){let m=[D(),_(u,"count",1,qr),a,i];return(await P(o,gt,m,{operation:"trySetCount"})).status==="set"},
async countDown(u,m={}){G(m,"generation");let{generation:f}=m,p="countDown",y=u===void 0?D():await _e(K(u,"party")),h=f===
void 0?await l(p):void 0;if(h?.count===0)return 0;let w=h?.generation??_(f,"generation",1,qr),k=await P(o,bt,[y,w,a,i],{
operation:p});if(k.status==="lost")throw c();return k.left},count:async()=>(await l("count")).count,async wait(u={}){G(u,
"wait maxPolls backoff signal timeout>wait");let{wait:m=1e4,maxPolls:f,backoff:p=cn(),signal:y}=u,h=T(m,"wait",0),w,k=!1,
g=b=>{let{state:S,generation:L,remaining:A,origin:C}=d(b);if(w!==void 0&&C>w)throw c();let E=S!=="free";return E&&(w??=L),
k=S==="open"||w!==void 0&&L>w,k?void 0:{remainingMs:E?A:h,ageMs:0,tenureMs:0,queueMs:0}};return await Ln(o,{waitMs:h,maxPolls:_(
f,"maxPolls"),backoff:p,blockedBy:g},{operation:"wait",budgetMs:Math.max(h,dt),signal:y},(b,S)=>s(S)),k},async inspect(){
let{origin:u,...m}=await l("inspect");return m},forceRelease:()=>ne(o,ue)}}var Dn=({remaining:e=0,since:n})=>e/1e3-n();async function _r(e,n,t){let r=e.map(()=>({open:!1})),o=await Promise.allSettled(
e.map((l,c)=>t(l,{...n,doubt:r[c]})));n.doubt&&(n.doubt.open||=r.some(({open:l})=>l));let a=o.map(l=>{if(l.status==="rej\
ected")throw l.reason;return l.value}),i="",s=0;for(let[l,c]of a.entries()){if(c.status==="lost")for(let u of c.names?.match(
/\d+/g)??[1])i+=`${s+ +u} `;s+=e[l]?.part.place.names.length??0}let[d]=a.sort((l,c)=>+(c.status==="lost")-+(l.status==="\
lost")||Dn(l)-Dn(c));return{...d,names:i,answers:[{},{result:Math.min(...a.map(qt))}]}}var Gr=(e,n,t)=>_r(e,t,async(r,o)=>{
let a=await r.part.extend(r.id,r.grant?.token??0,n,o);return a.status==="extended"&&(r.grant={...r.grant,...a,status:"gr\
anted"}),a});async function _o(e,n,t,r){let{part:o,doubt:a,before:i,startMs:s}=e,d={...n,...e,before:i,waitedMs:Math.round(
t-s)},l=await o.ask(d,{...r,doubt:a});return e.before=l,e.refused||=l.status==="held"&&n.waitMs>0,l.status==="granted"&&
(e.grant=l,e.id={id:e.id,...l}.id,a.open=!0),l}function Ir(e,n){let t,r=[],o;async function a(i,s){let{id:d,leaseMs:l,waitedMs:c,
reentryKey:u,note:m}=i;d!==t&&(r=[]),t=d;let{doubt:f={open:!1},tries:p,budgetMs:y=0}=s,h=H(e.connection.clock),w=()=>({...s,
budgetMs:y-h()});try{for(;;){let g=r.flatMap(({grant:ye})=>ye??[]),b=g.length,S=n[b],L=r.filter(({grant:ye})=>ye&&ye.since()>
l/(S?3:20)),A=L[0]&&await Gr(L,l,{...w(),operation:"extend"}),C=g.at(-1);if(A?.status==="lost")return{...A,status:"close\
d"};if(C&&S&&(h()>=y||p&&p.made>=p.most))return{...C,status:"closed"};if(!S)break;let{defaults:E}=S,I=u||await In(E.reentryKey??
""),j=S.own?.({}),Y=(m[0]==="@"||!m?Ie(E.label,"label"):"")+m;r[b]??={part:S,own:j,id:d+(S.suffix?.({reentryKey:I,note:Y,
own:j})??""),reentryKey:I,note:Y,startMs:c+h(),doubt:{open:!1}};let te=await _o(r[b],i,c+h(),w());if(te.status==="held"&&
b>0)return{...te,back:Math.min(te.back??1/0,l*1e3/3)};if(te.status!=="granted")return te}}finally{f.open=r.some(g=>g.doubt.
open)}let k=r.map(({grant:g})=>g).sort((g,b)=>Dn(g)-Dn(b));return o=await Promise.all(r.map(({part:g,...b})=>Ne({...g,...b,
leaseMs:l,token:b.grant?.token??0}))),{...k[0],token:Number.NaN}}return{place:e,ask:a,...Ue(e,{extend:(i,s,d,l)=>Gr(r,d,
l),close:(i,s,d)=>_r(r.filter(({doubt:l,refused:c})=>l.open||c),d,(l,c)=>l.part.close(l.id,s===0?0:l.grant?.token??0,c))}),
adds(){let i=r.flatMap(({part:s,grant:d})=>s.place.names.map(()=>d?.token));return{token:void 0,tokens:Object.fromEntries(
e.names.map((s,d)=>[s,i[d]])),tickets:()=>o.map(s=>s()),ticket(){throw new TypeError("one ticket cannot stand for severa\
l slots: hand over tickets()")}}}}}var Un=({orderKey:e,place:n})=>e??n.keys[0],yn=({place:e})=>e.connection.serverId??"",jr=(e,n)=>e<n?-1:+(e>n),Io=(e,n)=>jr(
Un(e),Un(n))||jr(yn(e),yn(n)),Vr=({place:e},{place:n})=>e.connection===n.connection||e.connection.server!==""&&e.connection.
server===n.connection.server;function jo(e,n){let[t,r]=[e.place,n.place],o=`"${t.name}" and "${r.name}"`;if(Un(e)===Un(n)){
if(e.isSpread||n.isSpread||Vr(e,n))throw new TypeError(`${o} overlap: give each lock once, and names of one group in one\
 multi-lock`);if(!yn(e)||yn(e)===yn(n))throw new TypeError(`"${t.name}" is locked on several servers, which every client\
 must acquire in one order: give each connection the serverId of its server, or lock the name on a majority by quorumLoc\
k, or use different names`)}if(t.group!==void 0&&t.group===r.group&&t.connection.prefix===r.connection.prefix&&t.names.length+
r.names.length>2)throw new TypeError(Vr(e,n)?`${o} overlap: name all names of a group in one multi-lock`:`${o} are in on\
e group on several servers: use another group on each server`)}function Kr(e){let n=e.flatMap(({place:t})=>t.names);return e.
map(({place:{names:t,keys:r,connection:o}})=>t.map((a,i)=>n.indexOf(a)===n.lastIndexOf(a)?a:`${o.serverId??o.server}/${r[i]}`))}
function jt(e){if(!e?.[Vn])throw new TypeError("a multi-lock is made of names and locks");return e[Vn]()}function Vo(e,n,t){
let r=n.flatMap(jt).sort(Io);for(let[l,c]of r.entries())l>0&&jo(r[l-1],c);let o=Kr(r).flat(),a=o.join(", "),i="multi",s=e.
emit&&(l=>e.emit?.({kind:i,name:a,...l})),d=()=>Ir({connection:e,kind:i,name:a,names:o,group:void 0,keys:[],emit:s},r);return r.
some(l=>l.isSpread)?(G(t,Qe(pe)),z({...d(),parts:r,anew:d,takes:Qe(me),isSpread:!0},t)):z({...d(),parts:r,anew:d},t)}var Vt={
kind:"lock",extend:yt,close:ft,several:!0};function Ko(e,n){let t=pt,r=Ue(e,B(e,Vt));return Gt(e,n,t,{...r,uses:Sn(e)})}
function Kt(e,n,t={}){let r=be(e);if(G(t,pe),!Array.isArray(n))throw new TypeError("a multi-lock takes a list of names a\
nd locks");let o=[...new Set(n)];if(!(o.length>0&&o.length<65))throw new RangeError("a multi-lock has from 1 to 64 parts");
let{group:a}=t,i=o.map(l=>typeof l=="string"?fn(r,l,t):l),s=a===void 0?Vo(r,i,t):Ko(Oe(r,"lock",o,a),t),d=Kr(i.flatMap(jt));
return{...s,async inspect(){let l=[...d],c=i.map(async u=>[l.splice(0,jt(u).length).flat().join(", "),await u.inspect?.()]);
return Object.fromEntries(await Promise.all(c))},forceRelease:async()=>(await Promise.all(i.map(l=>l.forceRelease?.()))).
includes(!0)}}async function Ho(e,n,t,r){let{lease:o}=e,a,i=async()=>{a=dn(await n(e))};try{await(r?o.keepAlive({waitUntil:t},i,r):i())}catch(d){
if(a===void 0)throw await rn(e.fail().catch($),t),d}let s=JSON.parse(a);return await e.complete(s),{status:"done",result:s,
token:o.token,fresh:!0}}function No(e){if(e.status!=="live")return{state:"free",token:e.token};let[n,,t,r]=e.body.slice(
1).split(" ",4),o=t?"done":e.holds>0?"running":"idle",{token:a,remaining:i}=e;return{state:o,token:a,attempts:Number(n),
remaining:i/1e3,...o==="running"&&je(r)}}function Ht(e,n,t={}){let{place:r,begin:o}=vr(e,n,t);async function a(...i){let[
s,d]=gn(i,`${Mn(r)}.run`),l=J(s);we(s.keepAlive,l);let c="signal waitUntil keepAlive backoff wait timeout>wait maxPolls \
onUnavailable",{wait:u,maxPolls:m,backoff:f=cn()}=s,p=await jn(r,s,async()=>o(s,c,{waitMs:u===void 0?u:T(u,"wait",0),maxPolls:_(
m,"maxPolls"),backoff:F(f,"backoff")}));if(!p)return{status:"unprotected",result:JSON.parse(dn(await d(void 0)))};if(p.status===
"done")return{...p,fresh:!1};if(p.status!=="started")return p;let y=Ho(p,d,l,s.keepAlive);return l?.(y.catch($)),y}return{
name:n,begin:i=>o(i),run:a,inspect:async()=>No(await Kn(r)),forceRelease:()=>ne(r)}}var Ae=2**53-1,Do="permits lease ttl group wait maxPolls backoff signal waitUntil limit>permits max>permits timeout>wait",
Nt={kind:"semaphore",extend:Me,close:Mt,crowd:!0};function $n(e,n,t,r,o=""){let a=X(W(e,n,t,r,Do+o)),i=r.permits===void 0?
"":_(r.permits,"permits",0,Ae),s=[i,qe(r.ttl??"7d"),a.connection.retentionMs],d=(m,f,p)=>P(a,Lt,[D(),n,f,p,...s],{operation:m}),
l=async(...m)=>(await d(...m)).status==="done";async function c(){let m=await Je(a),f=m.status==="live",p=f?m.body.slice(
1).split(" ",1)[0]:"",y=Number(p||i),h=f?m.many:0;return{token:m.token,permits:y,available:y-h,acquired:h,remaining:f?m.
left/1e3:0,waiters:f?m.waiting:0,set:!!p,remembered:f?m.remaining/1e3:0}}return{members:{name:t,async setPermits(m){await d(
"setPermits","set",_(m,"permits",0,Ae))},trySetPermits:async m=>l("trySetPermits","try",_(m,"permits",0,Ae)),async addPermits(m){
await d("addPermits","add",_(m,"permits",-Ae,Ae))},async drain(){let m=await d("drain","drain",0);return m.status==="don\
e"?m.count:0},available:async()=>(await c()).available,forceRelease:()=>ne(a,ue)},changed:l,inspect:c,acquirable:(m,f,p)=>z(
{place:a,...B(a,Nt),...f,own:({permits:y=1})=>_(y,"permits",1,m),suffix:({own:y,note:h})=>`#${y}${hn(h)}`,async ask({id:y,
leaseMs:h,waitMs:w,waitedMs:k,before:g,own:b},S){let L=w>0?g?.status==="held"&&g.ticket||0:-1,A=await(p?P(a,Pt,[y,h,...s,
L,p],S):P(a,Ot,[y,n,h,...s,k],S));if(A.status!=="short")return A;let C=A.permits?`has ${A.permits} permits, not ${b}`:"n\
eeds permits, or setPermits";throw new RangeError(`"${t}" ${C}`)}},{...r,lease:r.lease||void 0})}}var Uo=100,Ce=e=>e.flatMap(({reply:n})=>n??[]),Z=(e,n)=>Ce(e).filter(t=>t.status===n),oe=(e,n)=>2*n.length>e.length,Bn=(e,n)=>2*
n.length>=e.length,Ee=(e,n)=>oe(e,Ce(n)),Dt=(e,n,t)=>oe(e,Z(n,t))||Bn(e,Z(n,"lost"));function fe(e,n,t,r,o=i=>Ee(e,i),a=!1){
let[{connection:i,limitMs:s}]=e,d=H(i.clock),l=n.map(c=>({server:c,doubt:{open:!1},tries:{made:0,most:t.tries?.most??1/0}}));
return new Promise(c=>{let u=l.length,m,f=()=>{m?.();for(let{tries:p}of l)p.most=0;c(l)};for(let p of l)r(p.server,{...t,
doubt:p.doubt,tries:p.tries},d).then(y=>{p.reply=y},y=>{p.error=y}).then(()=>{if(--u===0)return f();if(m||!o(l))return;let y=Math.
min(s-d(),a?s:Math.max(d(),Uo));m=en(Math.max(y,1),void 0,f,i.clock)})})}function Se(e,n){let t=n.find(({error:i})=>i instanceof
TypeError);if(t)return t.error;let r=n.flatMap(({error:i})=>i instanceof v?[i]:[]),o=r.find(({code:i})=>i!=="outcome_unk\
nown"&&oe(e,r.filter(s=>s.code===i))),a=`"${e[0].name}" has no majority: ${Ce(n).length} of ${e.length} servers answered`;
return o??new v("no_quorum",a,{cause:r[0]})}var Ut=2;function Wn(e,n){let t=({remaining:r,since:o})=>ke(r)-o();return[...n].sort((r,o)=>t(o)-t(r))[e.length>>1]}var Hr=(e,n,t,r,o)=>fe(
e,n,o,async(a,i,s)=>{let d=[a.connection.retentionMs,kn(a)],l=await P(a,Ye,[t,r,...d],i);if(r&&l.status==="lost"&&/taken|gone|unknown/.
test(l.reason)){let c=le(a.connection)-s();await P(a,Ye,[t,0,...d],{...i,budgetMs:c}).catch($)}return l},a=>Dt(e,a,"clos\
ed"),!0);async function $t(e,n,t=e){let r=await Hr(e,t,n,0,{operation:"cancel",budgetMs:e[0].limitMs,tries:{made:0,most:Ut}});
return!Bn(e,r.filter(({reply:o})=>!o))}var Nr=e=>({async extend(n,t,r,o){let a=await fe(e,e,o,(d,l)=>P(d,Pe,[n,t,r,d.connection.
retentionMs],l),d=>Dt(e,d,"extended")),i=Z(a,"extended");if(oe(e,i))return Wn(e,i);let s=Z(a,"lost");if(!Bn(e,s))throw o.
doubt&&(o.doubt.open=i.length>0||a.some(({doubt:d})=>d.open)),Se(e,a);return await $t(e,n),s.sort((d,l)=>d.reason<l.reason?
-1:1),s[s.length>>1]},async close(n,t,r){let o=await Hr(e,e,n,t,r),a=Z(o,"closed"),i=oe(e,a)?a[0]:Z(o,"lost")[e.length-1>>
1];if(!i)throw Se(e,o);return i}});var $o=864e8,Dr=4,Bo=50,Ur=e=>e.status==="held"?e.now-e.age:Number.NaN,$r=e=>e.flatMap(({doubt:n,reply:t,server:r})=>n.open||
t?.status==="granted"?r:[]);async function Wo(e,n,t,r){let o=Z(t,"granted"),a=t,i=Math.max(0,...o.flatMap(({token:s})=>oe(
e,o.filter(({now:d})=>s<=d+$o))?s:[]));for(let s=0;i>0&&s<4;s++){let d=await fe(e,$r(t),r,(c,u)=>P(c,ht,[n,i,c.connection.
retentionMs],u));a=d;let l=Z(d,"committed");if(oe(e,l))return{heard:a,granted:{...Wn(e,l),status:"granted",token:i,holds:1,
id:n}};i=Math.max(0,...Z(d,"behind").map(c=>c.token))}return{heard:a}}function Fo(e,n,t,r,o){let a=Z(n,"not_reentrant");
if(r&&oe(e,a)&&a[0])return a[0];let i=Z(n,"held"),[s]=[...i,...a];if(!s)return{...Ce(n)[0],status:"closed"};let d={splits:t+
1,silent:e.filter(u=>!n.some(m=>m.server===u&&m.reply))},l=i.filter(u=>oe(e,i.filter(m=>Ur(m)===Ur(u))));if(l.length>0)return{
...Wn(e,l),...d,splits:0};let c=Math.min(1e3,o*2**(t+2));return{...s,status:"held",age:(Bo+2*c)*1e3,tenure:0,queue:0,...d}}
async function zo(e,n,t,r){let[{name:o,connection:a,limitMs:i}]=e,{leaseMs:s,reentryKey:d,note:l,waitedMs:c,waitUntil:u}=n,
{operation:m,signal:f,heard:p,budgetMs:y=i}=t,{splits:h=0,silent:w=[]}=n.before??{},k=H(a.clock),g=D(),S={operation:m,signal:f,
heard:p,tries:{made:0,most:Ut},budgetMs:Math.min(i,s/4,y)},L=e.filter(j=>!w.includes(j)),A=await fe(e,L,S,(j,Y)=>{let{retentionMs:te}=j.
connection,ye=d&&`quorum:${d}`;return P(j,sn,[g,s,te,ye,l,0,c,9e15],Y)}),{granted:C,heard:E}=await Wo(e,g,A,S);if(C)return C;
let I=$r(A);if(I.length>0&&await wn($t(e,g,I),u,f)===!1&&!f?.aborted&&Ee(e,A))throw new U(o,"it may have been granted");
if(f?.throwIfAborted(),!Ee(e,E))throw Se(e,E);return Fo(e,A,h,r,k())}async function Br(e,n,t){let[{connection:r,limitMs:o,
emit:a}]=e,{clock:i,random:s}=r,{budgetMs:d=o,operation:l,signal:c,heard:u,tries:m={made:0,most:1}}=t,f=H(i);for(let p=0;;p++)
try{let y=p>0?void 0:n.before,h=!n.before&&p===0,w=await zo(e,{...n,before:y},{operation:l,signal:c,heard:u,budgetMs:d-f()},
h);return m.made++,w}catch(y){let h=d-f(),w=Math.max(1,d/he)**(1/(Dr-2)),k=Math.min((.5+s()/2)*he*w**p,.8*h),{code:g,message:b}=y,
S=p===Dr-1||++m.made>=m.most||h-k<He;if(g!=="no_quorum"||S)throw y;a?.({type:"retried",operation:l,why:b,delayMs:k}),await se(
k,c,i)}}async function Zo(e){let n={operation:"inspect",budgetMs:e[0].limitMs},t=await fe(e,e,n,(d,l)=>P(d,Le,["lock"],l));if(!Ee(
e,t))throw Se(e,t);let r=t.map(({reply:d,error:l})=>d?pn(d):{state:"unknown",code:l?.code}),o=r.filter(d=>d.state!=="unk\
nown"),a=o.filter(d=>d.state==="held").sort((d,l)=>l.remaining-d.remaining),i=a.find(({token:d},l)=>{let c=a.filter(m=>m.
token===d);return 2*(c.length+r.length-o.length)>r.length&&a[l]===c[Math.min(c.length-1,r.length>>1)]}),s={state:"free",
token:Math.max(...o.map(({token:d})=>d))};return{...i??s,servers:r}}async function Yo(e,n){let[{limitMs:t}]=e,r=D(),i=await fe(
e,e,{operation:"forceRelease",budgetMs:t},(s,d)=>P(s,ln,[r,"lock",s.connection.retentionMs],d),void 0,!0);if(!Ee(e,i))throw Se(
e,i);return await(await n.tryAcquire({lease:`${4*t}ms`}))?.release(),Ce(i).some(({had:s})=>s===1)}function Bt(e,n,t={}){
if(!Array.isArray(e))throw new TypeError("quorumLock takes a list of connections");let r=`${Qe(un)} serverTimeout group`,
o=e.map(c=>W(c,"quorum",n,t,r)),[a]=o;if(!a||o.length>9)throw new RangeError("quorumLock needs 1 to 9 connections");if(new Set(
o.map(({connection:c})=>c.server||c)).size<o.length)throw new TypeError("each connection must be to another server, what\
ever its prefix");let i=T(t.serverTimeout??Math.min(a.connection.requestTimeoutMs/4,1e3),"serverTimeout"),s=o.map(c=>({...c,
limitMs:i})),d=Nr(s),l=z({place:a,...d,takes:Qe(me),isSpread:!0,uses:Mr(o),orderKey:o.map(({keys:c})=>c[0]).sort()[0],ask:(c,u)=>Br(
s,c,u)},t);return{name:n,...l,inspect:()=>Zo(s),forceRelease:()=>Yo(s,l),resume:c=>Pn(a.connection,c,[],{place:a,...d})}}var Qo=1e3,Fn={kind:"rw",extend:Me,close:At,crowd:!0};function Wt(e,n,t,r){let{retentionMs:o}=e.connection,a=t.reentrant===
!1?0:1;return z({place:e,...B(e,Fn),suffix:({reentryKey:i,note:s})=>i+hn(s),...r&&{takes:r},ask({id:i,leaseMs:s,waitMs:d,
waitedMs:l},c){let u=Math.max(0,Math.min(Qo,d-l));return P(e,Rt,[i,s,o,n,a,u],c)}},t)}function bn(e,n,t={}){let r=X(W(e,
Fn.kind,n,t,pe));async function o(){let i=await Je(r),{token:s}=i;if(i.status==="free")return{state:"free",token:s,remaining:0,
readers:0,holds:0,waitingWriters:0,waitingReaders:0};let{left:d,holds:l,body:c,many:u,waiting:m,behind:f}=i,[,p,y]=c.split(
" ");return{state:l?"write":u?"read":"free",token:s,remaining:d/1e3,readers:u,holds:l,...l&&p&&{reentryKey:p},...l&&je(y),
waitingWriters:m,waitingReaders:f}}let a=i=>({...Wt(r,i,t),inspect:o,async forceRelease(){let s=[D(),i,r.connection.retentionMs];
return(await P(r,St,s,{operation:"forceRelease"})).had===1}});return{name:n,read:a("read"),write:a("write"),inspect:o,forceRelease:()=>ne(
r,ue)}}function Wr(e,n,t){let{members:r,acquirable:o,changed:a,inspect:i}=$n(e,"counter",n,t),s=o(Ae,{takes:"permits signal wai\
tUntil"});return{...r,tryAcquire:async d=>await s.tryAcquire(d)!==null,async acquire(d){await s.acquire(d)},release:async(d=1)=>a(
"release","give",_(d,"permits",1,Ae)),async inspect(){let{set:d,available:l,remembered:c}=await i();return{state:d?"set":
"free",available:l,remaining:c}}}}function Jo({id:e,token:n,close:t},r,o){let a=Array.from({length:Number.parseInt(e.slice(37),10)},(i,s)=>s+1);return{permits:a,
async releasePermits(i){let s=a.filter(l=>!i.includes(l));if(s.length+i.length!==a.length)return!1;if(s.length===a.length)
return!0;let d=s.length===0?await r.release():(await t(`${e},${D()},${i}`,n,{operation:"release",waits:!0})).status==="c\
losed";return d&&(a.splice(0,a.length,...a.filter(l=>!i.includes(l))),o({remaining:0,holds:a.length,sentAt:0,since:()=>0})),
d}}}function Ft(e,n,t={}){if(t?.lease===!1)return Wr(e,n,t);let{members:r,acquirable:o,inspect:a}=$n(e,"semaphore",n,t,"\
 label replicas fair grace"),{fair:i,grace:s=1e3}=t,d=T(s,"grace"),l={adds:Jo,takes:`${me} permits`};return{...r,...o(1e3,
l,i?d:0),acquired:async()=>(await a()).acquired,async inspect(){let{set:c,remembered:u,...m}=await a();return{state:m.acquired>
0?"held":"free",...m}}}}async function zt(e,n,...t){let[r,o]=t.length===1?[{},...t]:t,{mode:a="exclusive",ifAvailable:i,steal:s,signal:d,maxHold:l,
maxExtends:c}=r;if(F(o,"work"),Ge(a,"mode","exclusive or shared"),s?i||d||a==="shared":i&&d)throw new TypeError("steal, \
ifAvailable, signal and shared exclude each other");let u={maxHold:l,maxExtends:c};we(u,void 0);let m=Wt(X(Oe(be(e),"rw",
[n],void 0)),s?"steal":a==="shared"?"read":"write",{},`${un} mode ifAvailable steal maxHold maxExtends`),f=await(i?m.tryAcquire(
r):m.acquire(r));return f?f.keepAlive({waitUntil:J(r)},o,u):o(null)}async function Zt(e,n){if(!Array.isArray(n))throw new TypeError(
"query takes a list of names");let t=[],r=[],o=await Promise.all(n.map(a=>bn(e,a).inspect()));for(let[a,{holds:i,readers:s,
token:d,waitingWriters:l,waitingReaders:c}]of o.entries()){let u=n[a],m=[["exclusive",i,l],["shared",s,c]];for(let[f,p,y]of m)
p&&t.push({name:u,mode:f,count:p,token:d}),y&&r.push({name:u,mode:f,count:y})}return{held:t,pending:r}}var Xo=[Hn,Vt,Nn,Fn,Nt,Gn],Fr=(e,n)=>Pn(e,n,Xo);function ea(e){let n=e&&"port"in e?e:Ke(e);return Object.assign(Object.create(
or),{connection:n,lock:(t,r)=>fn(n,t,r),fairLock:(t,r)=>_t(n,t,r),multiLock:(t,r)=>Kt(n,t,r),quorumLock:(t,r,o)=>Bt([n,...t],
r,o),latch:(t,r)=>It(n,t,r),readWriteLock:(t,r)=>bn(n,t,r),semaphore:(t,r)=>Ft(n,t,r),request:(t,...r)=>zt(n,t,...r),query:t=>Zt(
n,t),once:(t,r)=>Ht(n,t,r),resume:t=>Fr(n,t)})}async function na(e,n){let t=new AbortController,r=n.length;for(let{signal:u}of n)u.addEventListener("abort",()=>{--r===
0&&t.abort()});let o=n.map(({command:u})=>u),[a=[],...i]=o,s=await e(a,t.signal,i),{answers:d=[],unsure:l=!1,cause:c}=s;
if(c&&(c.message=nn(c.message,o.flat())),d.length<n.length)for(let{resolve:u}of n)u({...s,result:void 0});else for(let[u,
{resolve:m}]of n.entries()){let{error:f,result:p}=d[u];m({error:f,result:p,unsure:l})}}function ta(e){let n=1,t=[],r=()=>{
na(e,t),t=[]},o=()=>{--n===0&&r()};return queueMicrotask(o),()=>{let a=!0;return n++,(i,s)=>new Promise(d=>{t.push({command:i,
signal:s,resolve:d}),a?o():t.length===1&&setTimeout(r),a=!1})}}function zr(){let e=new Map;return n=>{if(n.port.isSingle)
return n.port;let t=e.get(n)??ta(n.port);return e.set(n,t),t()}}async function ra(e,n){n!==void 0&&T(n,"duration");let t={via:zr()},r=e.map(a=>a.extend(n,t));return(await Promise.allSettled(
r)).map((a,i)=>({lease:e[i],error:a.status==="rejected"?a.reason:void 0}))}function oa(e){let{remainingMs:n=0,retryAfterMs:t=n}=Object(e);return(e instanceof v?/^(lock_timeout|not_replicated)$/.test(
e.code)||mn(e):!(e instanceof Error)&&t>0)?Math.max(1,Math.ceil(t/1e3)):void 0}var aa=()=>{let{process:e,Deno:n}=globalThis;return e?.env??n?.env??{}};function Zr(e,n=aa()){try{let t=n[e]??n.get?.(e);
return typeof t=="string"?t:void 0}catch{return}}function ia(e){let n=["UPSTASH_REDIS_REST","KV_REST_API"].map(t=>[`${t}_URL`,`${t}_TOKEN`]);for(let t of n){let[r,o]=t.map(
a=>Zr(a,e));if(r&&o)return{url:r,token:o}}throw new TypeError(`the environment needs ${n.map(t=>t.join(" and ")).join(",\
 or ")}`)}function sa(e,n={}){let{state:t,...r}=Ke({...n,url:"http://unknown",token:"unknown"}),o;function a(){return o||
(o=Ke({...n,...ia(e)}),t.dialect=o.state.dialect),o}return{...r,state:t,get port(){return a().port},get server(){try{return a().
server}catch{return""}}}}export{Q as LeaseLostError,v as LeaseholdError,ge as LockTimeoutError,U as OutcomeUnknownError,Ke as connect,Po as constantBackoff,
ea as createLocks,Et as defaultBackoff,Mo as exponentialBackoff,ra as extendAll,_t as fairLock,sa as fromEnv,It as latch,
fn as lock,Kt as multiLock,Ht as once,Zt as query,Bt as quorumLock,bn as readWriteLock,zt as request,Fr as resume,oa as retryAfter,
Ft as semaphore};
