import { DuckDBInstance } from '@duckdb/node-api';
import { duckdbDialect as d } from './dialect/duckdb.ts';
import { containsPii } from './pii/pii-condition.ts';
import { profileCollection } from './vectors/collection-profile.ts';
import { compileRule } from './rules/rule-compiler.ts';
console.log('pii sql', containsPii(d, '"t"').length);
const i = await DuckDBInstance.create(':memory:', {threads:'1'}); const c = await i.connect();
await c.run(`create table r as select 'customer ' || i || ' lives at street ' || (i*7919 % 1000) as t, i as n from range(500000) x(i)`);
let s = performance.now(); await c.run(`select count(*) filter (where ${containsPii(d,'t')}) from r`); console.log('pii 500k rows ms', performance.now()-s);
const columns=[{name:'t',source_type:'VARCHAR',data_type:'STRING'},{name:'n',source_type:'BIGINT',data_type:'INTEGER'}] as const;
for (const e of ["validate t expect length < 100 and regex('^customer [0-9]+')",'validate n expect frequency = 1','validate n expect value in_range (0, 400000)']) {
 const r = compileRule('1',{expression:e,options:{ignore_nulls:false,empty_values:[]},variables:[]},{dialect:d,columns,relation:'r',nowMs:0}); if (r.kind!=='compiled') throw 1;
 s = performance.now(); await c.run(`select count(*) filter (where ${r.check.validSql}) from (select *${r.check.windows.map(w=>`, ${w.sql} AS ${d.identifier(w.name)}`)} from r)`); console.log(e, performance.now()-s);
}
const N=100000, page=Array.from({length:1000},(_, k)=>({id:String(k),payload:{a:k,b:'x'},vectors:{'':Array.from({length:128},(_, j)=>Math.sin(k*j))}}));
s=performance.now(); await profileCollection({info:async()=>({points:N,indexed:N,dimensions:{'':128}}),points:async function*(){for(let k=0;k<N/1000;k++) yield page;}},{options:{},previousCentroids:undefined,temporaryDirectory:'/tmp',signal:new AbortController().signal,onProgress(){}});
console.log('vectors 100k x128 ms', performance.now()-s, process.memoryUsage().rss/1e6);
