use apprentice_recognition::*;
fn main(){
 let t=std::fs::read_to_string("/work/shared/data/recognition/grid-goals.jsonl").unwrap();
 let mut by=std::collections::BTreeMap::new();
 let mut all=(0,0,0);let mut times=vec![];
 for l in t.lines(){let p=read_grid_problem(l).unwrap();
  let s=std::time::Instant::now();
  let r=recognise_on_grid(&p.grid,&p.goals,&p.observations,&Likelihood::default());
  let ms=s.elapsed().as_secs_f64()*1e3;times.push(ms);
  let ok=r.named.contains(&p.real);
  if !ok||ms>10.||r.named.len()>2{println!("{} {}% ok {} named {} {:.1}ms real {} detours {:?}",p.id,p.observed_percent,ok,r.named.len(),ms,p.real,r.costs.iter().map(|c|(c.at_best.as_seconds(),c.detour().as_seconds())).collect::<Vec<_>>());}
  let e=by.entry(p.observed_percent).or_insert((0,0,0));e.0+=1;e.1+=usize::from(ok);e.2+=r.named.len();all.0+=1;all.1+=usize::from(ok);all.2+=r.named.len();
 }
 times.sort_by(f64::total_cmp);
 for (k,e) in by{println!("{k}: {} right {:.1} spread {:.2}",e.0,100.*e.1 as f64/e.0 as f64,e.2 as f64/e.0 as f64);}
 println!("all {} right {:.2} spread {:.3} median {:.2} p99 {:.2} max {:.2}",all.0,100.*all.1 as f64/all.0 as f64,all.2 as f64/all.0 as f64,times[times.len()/2],times[times.len()*99/100],times[times.len()-1]);
}
