"""How a prompt speaks of something that both know, in six languages.

Hardly anybody who begins other work says "still", "the second one", "your fix" or "I
tried it": such words lean on what was said before, whatever they are about.
"""

from holdfast.start.continues.phrase_book import phrases

# It was so before: the same fault, not yet done, once more.
HOLDS = phrases(
    """still | again | yet | already | anymore | any more | no longer | same error
    | same problem | same issue | same thing | same result | the same as | once more
    | keeps failing | keeps happening | keep getting | rerun | re run | retry | redo
    | the rest | the remaining | remaining | the other one | the others | back to
    | wrap up | is it done | is it fixed | is that fixed | is it ready | is that done
    | are you done | all done | finished | merged | since that | since the change
    | after that change | after the change | went back to | another one | this time
    | it's back | than before | like before | as before | came back | comes back
    | is back | is left | are left | any progress | any news | any update | status of
    | how is the | how are the | how's the | slower than | faster than | bigger than
    | smaller than | than the old | old version | previous version | says | said
    | told me | reported | so far | disappeared | is gone | are gone | came up again
    | qa | colleague | coworker | my boss | product wants | marketing wants
    | legal wants | the designer | they want | is now | are now | now$ | left$""",
    """encore | toujours | déjà | pareil | pareille | la même erreur | le même problème
    | même souci | même erreur | relanc* | refais | réessa* | recommence | termine
    | finis | fini | finie | terminé | terminée | reste | restants | restantes
    | les autres | de nouveau | à nouveau | remarche | replante | c'est fait
    | c'est réglé | depuis que | cette fois | c'est revenu | qu'avant | que avant
    | comme avant | l'ancienne | l'ancien | du nouveau | ça avance | où en est
    | où en sont | restent | bloqué | bloqués | dit que | disent que | disparu
    | a disparu | ont disparu | jusqu'ici | pour l'instant | la qa | mon collègue
    | ma collègue | mes collègues | le chef | le po | le métier""",
    """หรือยัง | อีกแล้ว | อีกครั้ง | อีกที | อีกรอบ | ยังไม่ | ยังพัง | ยังคง | ยังเด้ง
    | ยังขึ้น | ยังเป็น | ยังมี | ยังแดง | ยังช้า | ยังค้าง | ยังเจอ | อยู่เลย | อยู่ดี
    | เสร็จยัง | เสร็จแล้ว | ผ่านยัง | ได้ยัง | เหมือนเดิม | ไม่หาย | เท่าไหร่แล้ว | ที่เหลือ
    | รอบนี้ | กลับมาเป็น | ถึงไหนแล้ว | แบบเดิม | ตัวเดิม | อันเดิม | กว่าเดิม | ของเก่า
    | ตัวเก่า | อันเก่า | เหลืออีก | เหลือ | ตอนนี้ | หายไป | บางอัน | บางตัว | เพื่อนในทีม
    | หัวหน้า | ทีมบอก | qa เจอ""",
    """아직 | 여전히 | 또_ | 다시 | 끝났 | 끝나 | 됐어 | 됐나 | 했어 | 했나 | 했지
    | 해결됐 | 완료됐 | 마무리 | 그대로 | 똑같 | 같은 에러 | 같은 문제 | 같은 오류
    | 나머지 | 계속 나 | 재발 | 안 없어 | 이번엔 | 이번에는 | 더 이상 | 안 고쳐 | 남아있
    | 이전보다 | 전보다 | 예전보다 | 원래 | 몇 개 남 | 몇개 남 | 남았 | 방금 | 라고 하네
    | 다고 하 | 래요 | 대요 | 사라졌 | 없어졌 | 지금까지 | qa에서 | 동료 | 팀장 | 기획자
    | 기획팀 | 디자이너""",
    """まだ | になった | また落ち | また出 | また同 | また失敗 | また固 | やっぱり
    | やはり | 相変わらず | 同じエラー | 同じ条件 | 同じ症状 | 同じ結果 | 同じところ
    | 変わらな | 直った | 直って | 直り | できた？ | できた? | できまし | 終わっ
    | どうなった | もう一度 | もう一回 | 収まっ | 今度は | 再発 | 残りの | 再度 | 今回は
    | もう無い | もうない | なくなった | 前より | 元より | 以前より | 残って | あと何
    | 今は | 今のところ | っぱなし | のまま | って言って | 消えた | いつまで
    | ところまで | 同僚 | 上司 | qaが | qaから | デザイナー""",
    """还是不 | 还是有 | 还是会 | 还是没 | 还是报 | 还是一样 | 还是慢 | 还是先 | 还是能
    | 还是提示 | ^还是 | 还在 | 还没 | 还能 | 还会 | 还有几 | 仍然 | 依然 | 依旧 | 又是
    | 又出 | 又报 | 又来 | 又失败 | 又挂 | 又开始 | 又不 | 再试 | 再跑 | 再做 | 再来
    | 再改 | 再看 | 再查 | 再优化 | 了吗 | 了没 | 没有$ | 好没 | 好了 | 完了 | 多少了
    | 修好 | 一样的 | 跟之前 | 和之前 | 跟刚 | 老样子 | 同样的 | 这次 | 这回 | 剩余
    | 比之前 | 比原来 | 还剩 | 原来 | 目前 | 没收到 | 没出来 | 没显示 | 没跑 | 没发
    | 没走 | 没看到 | 没找到 | 不见了 | 丢了 | 到目前 | 同事 | 老板 | 又发现 | 又遇到
    | 产品觉得 | 设计说""",
)
# What came of it: somebody tried, ran, looked.
REPORTS = phrases(
    """i tried | i've tried | i tested | i've tested | i ran | i reran | i just ran
    | i checked | i flashed | i deployed | i merged | i pushed | i rebased | i reverted
    | i looked at it | i applied | i installed it | i reviewed | i restarted
    | just tried | just ran | tried it | tried that | ran it | tested it | tested on
    | tested with | deployed it | deployed to | works now | it works | that works
    | works fine | works on | works locally | works great | worked | now it | now i get
    | now getting | it now | passes now | passes locally | passing now | all green
    | is green | green now | is red | went green | went red | ci is | ci passed
    | ci failed | ci says | the build is | fixed it | that fixed | didn't help
    | doesn't help | did the trick | didn't work | no luck | no change | no difference
    | not fixed | after your | after the fix | with the fix | with your | since your
    | got merged | was approved | approved | reviewer | review says | looks right
    | looks good | looks better | locally but | in staging | on staging | in prod
    | now but | went from | went up | went down | turns out | i get | i'm getting
    | i am getting | now we get | now fails | now says | it fails | it says | it crashed
    | it broke | it hangs | it stopped | it never | it doesn't | it does not | it still
    | it only | it also | it seems | it looks | it keeps | got bigger | got slower
    | got faster | got worse | got better | is faster | is slower | is worse
    | dropped to | down to | up to | times faster | over night | overnight | people say
    | qa says | qa found | support says | the team says | the customer says
    | the client says | customer says | are asking | is asking | complained
    | somebody said | weird | strange | for some reason | that broke | broke the
    | the log shows | the logs show | logs show | log says | shows that | off by
    | is confusing | is unclear | looks off | look off | looks wrong | look wrong
    | sounds good | sounds better | i don't like | i dont like | i like | i prefer
    | i'd rather | prefer | confirmed | starts twice | not what i meant | i meant
    | reviewers | pr comments | review comments | comments on the pr | empty file
    | in production since | live since | in prod since | deployed and | no complaints
    | no issues | found another | compiles | it compiles""",
    """j'ai testé | j'ai essayé | j'ai lancé | j'ai relancé | j'ai vérifié
    | j'ai déployé | j'ai mergé | j'ai regardé | j'ai relu | j'ai appliqué | testé sur
    | testé avec | ça marche | ça passe | ça plante | ça casse | ça fonctionne
    | ça compile | ça bloque | ça rame | ça repanique | ça remarche | c'est bon
    | c'est vert | c'est rouge | tout est vert | tout vert | tout passe | la ci est
    | la ci passe | maintenant ça | maintenant j'ai | marche plus | marche pas
    | rien ne change | rien changé | pas mieux | même résultat | par contre | du coup
    | en staging | en prod | en recette | fait mais | faite mais | finie mais
    | fini mais | ok mais | bon mais | à priori | ça a | ça n'a | ça ne | ça fait
    | on est passé | on est encore | on est à | est passé à | est passée à
    | se déclenche plus | bizarre | d'après | il m'a | elle m'a | il a | il n'a
    | il veut | sont tout | est tout | sont encore | pas clair | confus | décalé
    | décalés | décalée | a sauté | relecteur | en revue | la revue | me va | je préfère
    | j'aime | d'après les logs | dans les logs | le client dit | les clients disent
    | bloque | sauf que | le problème c'est | l'idée c'était | en prod depuis
    | rien à signaler | a trouvé | ont trouvé""",
    """^ลอง | ลองแล้ว | ลองบน | ลองดูแล้ว | ลองกับ | เทสแล้ว | เทสต์แล้ว | ทดสอบแล้ว | รันแล้ว
    | รันดูแล้ว | ดีพลอยแล้ว | deploy แล้ว | merge แล้ว | push แล้ว | ใช้ได้แล้ว | ใช้งานได้แล้ว
    | ผ่านแล้ว | ผ่านหมด | หายแล้ว | ได้แล้ว | แก้แล้ว | แล้วแต่ | แล้วยัง | ไม่ผ่าน | ไม่เวิร์ค
    | ไม่ดีขึ้น | ดีขึ้น | พังอีก | ตอนนี้ขึ้น | ตอนนี้มัน | มันขึ้น | มันพัง | มันค้าง | มันไม่
    | มันยัง | กลายเป็น | รีวิวแล้ว | อนุมัติ | บน staging | บน prod | ใน prod
    | เครื่องจริง | ตามรีวิว | ที่รีวิว | โดนรีวิว | คนรีวิว | บอกว่า | แจ้งว่า | ดูจาก log
    | จาก log | ค้าง | งง | ไม่ชอบ | ไม่ตรง | เพี้ยน | มันช้า | ขึ้น prod | คอมไพล์ผ่าน
    | ไม่มีใครบ่น | เจออีก""",
    """해봤 | 돌려봤 | 돌려보니 | 해보니 | 써봤 | 써보니 | 적용했 | 배포했 | 올렸는데
    | 올려봤 | 테스트했 | 확인했 | 확인해봤 | 잘 돼 | 잘돼 | 잘 되 | 잘되 | 되긴
    | 됐는데 | 되네 | 고쳤는데 | 바꿨는데 | 바꿨더니 | 했더니 | 했는데 | 하니까 | 통과했
    | 통과하 | 깨졌 | 깨지네 | 안 되네 | 안되네 | 안 먹 | 안먹 | 소용없 | 효과 없
    | 리뷰에서 | 머지됐 | 승인 | 스테이징 | 운영에서 | 실기기 | 로컬에선 | 로컬에서는
    | 이제 돼 | 이제 되 | 나오네 | 뜨네 | 쫓겨나네 | 더니 | 나옴 | 들어옴 | 문의 | 네요
    | 이상하게 | 갑자기 | 보니까 | 리뷰어 | 코드 리뷰 | 헷갈 | 별로 | 밀려 | 멈춰 | 멈췄
    | 느려졌 | 빨라졌 | 안된대 | 된대 | 한대 | 고객이 | 로그 보 | 운영 반영 | 반영됐
    | 문제 없음 | 문제없 | 찾음 | 컴파일은""",
    """試した | 試してみた | 試したら | 試したけど | 動かしてみ | 動かしたら
    | 回したけど | 回したら | 実行したら | 実行したけど | 走らせたら | デプロイした
    | マージした | 反映した | 適用した | 入れてみた | 確認した | 動いた | 動きました
    | 動くように | 通った | 通りました | 通るように | 落ちた | 落ちました | 落ちてる
    | ダメだった | だめだった | 駄目だった | 直らな | 治らな | うまくいっ | うまくいか
    | いけた | になりました | したけど | したところ | みたけど | みたら | 変わった
    | 本番で | ステージング | 手元で | レビューで | 承認 | 緑になっ | 赤い | 出なくなっ
    | 出てない | 出ない | みたい、 | 気がして | ちゃっ | ちゃう | っぽい | らしい
    | かかって | 足りてな | 走って | 真っ白 | 一晩 | 昨夜 | 固まる | 固まっ | ずれて
    | ズレて | 崩れ | わかりにく | 分かりにく | わかりづら | 分かりづら | んだけど
    | ログ見 | ログを見 | って言われ | と言われ | お客さん | 遅くなっ | 速くなっ
    | 本番反映 | 問題なし | 見つけた | 見つかった | コンパイルは""",
    """试了 | 试过 | 试了下 | 试了一下 | 我试 | 跑了 | 跑完 | 跑出来 | 测了 | 测过
    | 上线后 | 上线之后 | 部署完 | 部署后 | 部署了 | 改完 | 改了之后 | 改后 | 合并了
    | 合了 | 提交了 | 发布了 | 可以了 | 能用了 | 通过了 | 过了 | 没过 | 挂了 | 崩了
    | 报错了 | 红了 | 绿了 | 不行 | 没效果 | 没变化 | 没反应 | 不生效 | 生效了 | 好多了
    | 变慢了 | 变快了 | 结果是 | 现在是 | 现在会 | 现在报 | 测试环境 | 生产环境 | 线上还
    | 本地没问题 | 本地可以 | 评审说 | 那边说 | 批了 | 明明 | 涨到 | 降到 | 掉到 | 变成
    | 涨了 | 降了 | 压测结果 | 结果 | 卡住 | 卡死 | 看不懂 | 看日志 | 日志显示 | 评审
    | 客户说 | 测试说 | 同事说 | 产品说 | 乱了 | 差一 | 不太好 | 不好用 | 变慢 | 变快
    | 上线了 | 没问题 | 能编译""",
)
# The agent as the one who did it, said it, may do it next.
ADDRESSES = phrases(
    """did you | have you | you did | you said | you changed | you added | you removed
    | you wrote | you made | you proposed | you suggested | you mentioned | you were
    | you had | you forgot | you missed | you broke | you left | you asked | you used
    | you also | you still | why did you | what did you | where did you | your fix
    | your change | your changes | your version | your approach | your plan
    | your suggestion | your proposal | your question | your idea | your patch
    | your last | your first | your second | your previous | your code | your test
    | your solution | you mean | you meant | we did | we had | we said | we agreed
    | we decided | we discussed | we were | we talked | we went with | we removed
    | we added | we changed | did we | have we | had we | do we still | like you
    | as you | what you changed | what changed | what did we | double check
    | can you also | could you also | you could | why is there | why are there | why did
    | you think | you sure | are you sure | do you mean | do you think | remind me
    | recap | what you did | what we did""",
    """t'as | tu as | as tu | tu l'as | tu avais | tu disais | tu voulais | tu proposais
    | tu m'as | tu nous as | tu n'as | tu n'avais | ton idée | ton fix | ton correctif
    | ton plan | ton script | ton test | ton code | ton histoire | ton patch
    | ton approche | ta solution | ta proposition | ta version | ta modif
    | ta correction | ta fonction | ta question | ta migration | tes modifs
    | tes changements | tes tests | on a dit | on avait | on a fait | on a décidé
    | on avait dit | on disait | on s'était | ce que tu | ce que t'as | résume | récap
    | rappelle moi | tu es sûr | t'es sûr | tu penses | tu crois | tu peux aussi
    | avoir choisi | choisi | mis à jour la doc""",
    """ที่คุณ | ที่ทำไว้ | ที่แก้ไป | ที่แก้ไว้ | ที่บอก | ที่เสนอ | ที่คุย | ที่เขียนไว้ | ที่เพิ่มไว้
    | ที่เปลี่ยน | ที่ตกลง | ที่ถาม | ทำไปแล้ว | แก้ไปแล้ว | แก้ให้ยัง | ทำให้ยัง | ไปหรือยัง
    | ได้ทำ | ของเมื่อวาน | ที่เพิ่ง | ที่เราทำ | ที่แนะนำ | ตามแผน | ที่แก้ | ที่ทำ | สรุปที่
    | สรุปว่า | แน่ใจ | ทำไมเลือก | ที่เลือก | ขอดู | ตามที่ | ที่ค้าง""",
    """네가 | 니가 | 고쳤어 | 바꿨어 | 넣었어 | 만들었어 | 지웠어 | 봤어 | 뺐어 | 말한
    | 말했 | 제안한 | 얘기한 | 물어본 | 추가한 거 | 바꾼 다음 | 바꾼 거 | 만든 거
    | 고친 거 | 수정한 | 아까 | 어제 하던 | 어제 거 | 어제 말 | 어제 고 | 하기로
    | 하려던 | 했던 | 해둔 | 해놓은 | 넣은 | 우리가 | 요약해 | 한거 | 한 거 | 던거
    | 던 거 | 골랐 | 었어? | 았어? | 했어? | 확실해 | 왜 이 방식 | 왜 이걸
    | 왜 이렇게 했""",
    """くれた | くれました | してくれ | 言ってた | 言っていた | 提案して | 提案の
    | さっき | 昨日の | この前 | 前に | やってた | 作ってくれ | 直してくれ | 書いてくれ
    | 追加してくれ | 変えたところ | 変更したところ | 変更した箇所 | 修正したところ
    | 修正した箇所 | 入れた | 決めた | 聞いてた | 例の | 変更をまとめ | ここまでまとめ
    | 直した? | 直した？ | したの | 変更点 | 確かな | なんでこの | どうしてこの""",
    """你说的 | 你改 | 你写的 | 你提 | 你刚 | 你加的 | 你上次 | 你之前 | 你的方案
    | 你的建议 | 你的改动 | 你问 | 你是不是 | 你有没有 | 你那个 | 你给的 | 我们说
    | 我们改 | 刚才 | 刚刚 | 昨天的 | 昨天那 | 昨天改 | 上次 | 之前 | 上面 | 前面说
    | 说好的 | 定的 | 加的那 | 改的那 | 写的那 | 总结一下 | 改了什么 | 改了哪 | 你确定
    | 为什么选 | 为什么用 | 更新了没""",
)
# Points at what only the talk before can tell.
POINTS = phrases(
    """^it | ^that | ^this | ^they | ^those | ^these | ^both | that one | this one
    | these two | those two | the first one | the second one | the first option
    | the second | the third | the last one | the latter | the former | the two
    | the other | option 1 | option 2 | option 3 | option 4 | option a | option b
    | option c | number 1 | number 2 | number two | that change | that flag | that test
    | that fix | that file | that function | that part | that bit | that line
    | that error | that branch | that approach | that bug | that way | that thing
    | that's | do that | do it | do this | use that | use it | try it | try that
    | drop it | drop that | keep it | keep that | with that | with it | with this
    | for that | for it | for this | from it | of it | of that | about that | about it
    | on it | on that | to it | to that | is it | is that | was it | does it | does that
    | did it | did that | has it | will it | would it | would that | can it | could it
    | should it | should that | shouldn't it | doesn't it | isn't it | why is it
    | how does it | why does it | make it | move it | call it | put it | rename it
    | remove it | revert it | revert that | undo it | undo that | fix it | fix that
    | fix this | fix them | commit it | commit that | commit this | push it | merge it
    | ship it | run it | split it | test it | them | those | instead | the diff
    | the fix | the new one | the old one | change it | change that | should be | it to
    | like this | like that | this change | this logic | this approach | this fix | both
    | either | neither | one of them | the same way | the wording | the naming
    | the same for | make this | make that | test this | only for | the good one
    | the bad one | the wrong one | the right one | the big one | the small one
    | the next one | first step | on the list | the numbers | for now | as it is | as is
    | leave the | skip the | hold off | no need | except | except for | apart from
    | only the | just the | instead of the | can this | does this | will this | this go
    | calls this | see it | add the | write the | do the | finish the | create the
    | build the | the missing | the null case | that case | this case | the case""",
    """^ça | celui | celle | ceux | celles | celui là | celle là | l'autre | les deux
    | le premier | la première | le deuxième | la deuxième | le second | la seconde
    | le dernier | la dernière | le 2 | la 2 | ce test | ce fix | ce fichier
    | cette fonction | cette partie | cette erreur | cette branche | ce truc | ce bug
    | ça aussi | fais ça | fais le | fais la | garde le | garde la | vire le | vire la
    | vire les | mets le | mets la | avec ça | pour ça | comme ça | sans ça
    | est ce que ça | il faut que ça | le correctif | la suite | là aussi | mets plutôt
    | passe à | là dedans | dedans | plutôt | à la place | cette approche
    | cette méthode | cette solution | cette option | que pour | seulement | uniquement
    | finalement | au final | suffit | suffisent | pas besoin | lequel | laquelle
    | gère aussi | pour l'instant | tel quel | telle quelle | sauf | pas la peine
    | au passage | écris le | écris la | crée le | crée la | des deux
    | les derniers""",
    """อันนั้น | อันนี้ | ตัวนั้น | ตัวนี้ | ตรงนั้น | ตรงนี้ | แบบนั้น | แบบนี้ | แบบที่ | มัน
    | ข้อ 1 | ข้อ 2 | ข้อ 3 | ข้อแรก | ข้อสอง | อันแรก | อันที่สอง | อันที่ 2 | อันที่ 1
    | ทั้งสอง | ทั้งคู่ | อันหลัง | ตามนั้น | อย่างนั้น | เรื่องนั้น | ไฟล์นั้น | ฟังก์ชันนั้น
    | พวกนั้น | ส่วนนั้น | วิธีแรก | วิธีที่สอง | วิธีที่ 2 | ตัวแรก | ตัวที่สอง | ตัวหลัง
    | แทน | ^เปลี่ยนเป็น | ^เอาเป็น | ^เป็น | เอาแบบ | เอาอัน | วิธีนี้ | พอแล้ว | แค่นั้น
    | เฉพาะ | ไม่ต้อง | ก็พอ | แค่ | ยกเว้น | ไว้ก่อน | ข้ามไป | อีกเคส | เคสนี้ | ไม่เอา""",
    """그거 | 그걸 | 그게 | 그건 | 이거 | 이걸 | 이게 | 저거 | 그 부분 | 그부분
    | 그 파일 | 그 함수 | 그 테스트 | 그 에러 | 그쪽 | 그렇게 | 그대로 | 첫번째
    | 첫 번째 | 두번째 | 두 번째 | 세번째 | 세 번째 | 1번 | 2번 | 3번 | 둘 다 | 둘다
    | 후자 | 전자 | 이 부분 | 이쪽 | 거기 | 여기 | 그 방법 | 그 방식 | 그 안 | 걔 | 대신
    | 으로 하자 | 로 하자 | 로 가자 | 걸로 | 쪽으로 | 이 방식 | 이 방법 | 만 되게
    | 만 해 | 빼도 | 빼자 | 빼줘 | 될 듯 | 그 이름 | 그 말 | 때도 | 값일 때 | 빼고
    | 제외하고 | 만$ | 만 하 | 안 해도 | 그냥 두 | 놔두 | 다른 케이스 | 이 경우
    | 나눠""",
    """それ | その方 | その案 | そのまま | その通り | その件 | その後 | そこ | あれ
    | あの件 | あのテスト | あのエラー | あの関数 | そのテスト | そのファイル | その関数
    | そのフラグ | 一つ目 | 二つ目 | 三つ目 | 1つ目 | 2つ目 | 3つ目 | 1番 | 2番 | 3番
    | 案1 | 案2 | 案a | 案b | a案 | b案 | 両方 | 後者 | 前者 | そっち | こっち
    | こちらで | 最初の方 | 最後の方 | どっちも | この方針 | この実装 | この修正
    | この変更 | ここ | じゃなくて | ではなく | の方で | 方で | やつ | でいい | で十分
    | だけにして | だけで | 要らない | いらない | 不要 | の場合も | も対応 | も直
    | も入れて | も見て | も処理 | この方式 | この方法 | そうじゃな | だけ$ | 以外
    | なくていい | とりあえず | ひとまず | 別のケース | この場合 | 分けて""",
    """那个 | 那块 | 那边 | 那几个 | 那些 | 那样 | 那里 | 那段 | 那行 | 那步 | 这块
    | 这边 | 这样 | 这段 | 这里 | 这几个 | 它 | 第一个 | 第二个 | 第三个 | 第1个 | 第2个
    | 方案一 | 方案二 | 方案a | 方案b | 方案1 | 方案2 | 选a | 选b | 选1 | 选2 | 用a
    | 用b | 两个都 | 都要 | 后者 | 前一个 | 后一个 | 另外那 | 另一边 | 按这 | 就这
    | ^改成 | ^换成 | ^改为 | 别用 | 够了 | 就够 | 就行 | 就好 | 也处理 | 也改 | 也加
    | 也要 | 只给 | 只限 | 只要 | 只需 | 不要了 | 去掉 | 不需要了 | 第二种 | 第一种
    | 第三种 | 换一个 | 这个方案 | 这个意思 | 除了 | 先不 | 不用 | 暂时 | 先这样 | 分成
    | 这个锁 | 这种情况 | 哪个简单""",
)
# Goes on from what was said.
CONNECTS = phrases(
    """^and | ^but | ^also | ^or | ^then | ^hm | ^hmm | ^actually | ^wait | ^oh | ^ah
    | ^instead | ^one more | ^except | ^nope | ^no | ^nah | ^yes | ^yeah | ^yep | ^yup
    | ^not | ^ok | ^okay | ^great | ^nice | ^cool | ^perfect | ^good | ^fine | ^thanks
    | ^sorry | ^weird | ^works | ^fixed | ^done | ^lgtm | ^looks | ^same | ^so | ^agreed
    | ^sure | ^what about | ^how about | ^what if | ^alright | ^now | ^next | too$
    | as well | as well$ | too | also | finally | then$ | though$ | great$ | nice$
    | thanks$ | perfect$""",
    """^et | ^mais | ^aussi | ^du coup | ^sinon | ^par contre | ^en fait | ^attends
    | ^bof | ^non | ^oui | ^ouais | ^nickel | ^parfait | ^super | ^bon | ^donc | ^alors
    | ^finalement | ^pareil | ^merci | ^pas mal | ^top | ^génial | ^puis | ^ensuite
    | ^plutôt | ^voilà | aussi$ | aussi | ^maintenant""",
    """^แล้ว | ^แต่ | ^งั้น | ^อ้อ | ^ส่วน | ^อีกอย่าง | ^ไม่ใช่ | ^ไม่เอา | ^ไม่ต้อง | ^ใช่ | ^โอเค
    | ^เยี่ยม | ^ดีมาก | ^ดีแล้ว | ^ดีเลย | ^ขอบคุณ | ^เออ | ^อืม | ^ครับ | ^ค่ะ | ^ถ้างั้น
    | ^จริงๆ | ^เดี๋ยว | ^ได้ | ด้วยนะ | ด้วยเลย | ด้วย$ | ด้วยครับ | ด้วยค่ะ""",
    """^그럼 | ^그런데 | ^근데 | ^그리고 | ^아니 | ^아_ | ^아, | ^참_ | ^참, | ^음_
    | ^음, | ^음. | ^응_ | ^응, | ^응$ | ^네_ | ^네, | ^예_ | ^예, | ^ㅇㅇ | ^ㅇㅋ
    | ^ㄴㄴ | ^ㄱㄱ | ^좋아 | ^좋네 | ^굿 | ^오케이 | ^그래 | ^고마 | ^감사 | ^오_
    | ^오, | ^흠 | ^그러면 | ^잠깐 | ^이제 | 도 해줘 | 도 부탁 | 도 추가 | 도 써 | 도 넣
    | 도 고 | 도 만들 | 도 해 | 도 처리 | 도 바꿔""",
    """^で、 | ^じゃあ | ^でも | ^あと | ^それと | ^やっぱ | ^いや | ^いえ | ^うん
    | ^はい | ^なるほど | ^了解 | ^ありがとう | ^ちょっと待 | ^あ、 | ^えっと | ^うーん
    | ^いいね | ^いい感じ | ^では | ^じゃ、 | ^ついでに | ^次 | ^ただ、 | ^ただし
    | ^けど | もお願い | もやって | も書いて | も足して | も追加 | も作って | も付けて
    | も変えて""",
    """^那 | ^但 | ^不过 | ^另外 | ^还有 | ^然后 | ^所以 | ^其实 | ^不是 | ^不对 | ^不用
    | ^不要 | ^嗯 | ^哦 | ^好的 | ^好, | ^好_ | ^好吧 | ^行, | ^行_ | ^行吧 | ^对,
    | ^对_ | ^对的 | ^对了 | ^可以, | ^可以_ | ^可以了 | ^可以的 | ^是的 | ^谢谢 | ^等等
    | ^等下 | ^算了 | ^顺便 | ^也 | ^没问题 | ^接下来 | ^先 | ^感觉 | ^看起来 | 也写
    | 也补 | 也做 | 也改 | 也加 | 一起""",
)
# Acts on work in progress, whatever it is.
ACTS = phrases(
    """^commit | ^push | ^merge | ^squash | ^rebase | ^revert | ^undo | ^roll back
    | ^rollback | ^ship it | ^ship | ^open a pr | ^open the pr | ^make a pr
    | ^create a pr | ^create the pr | ^run the | ^run tests | ^run all | ^run everything
    | ^run it | ^run lint | ^rerun | ^stash | ^amend | ^cherry pick | ^deploy
    | ^clean up | ^tidy up | ^release it | ^tag it | ^test it | and commit | then commit
    | and push | then push | and merge | commit message | pr description | lgtm
    | two commits | split it | ^split | separate commit | separate commits""",
    """^commite | ^pousse | ^fusionne | ^annule | ^ouvre la pr | ^ouvre une pr
    | ^fais la pr | ^fais une pr | ^lance les tests | ^lance tout | ^relance | ^déploie
    | ^nettoie | tu peux merger | tu peux commiter | on peut merger | et commite
    | ^reviens | deux commits | ^découpe""",
    """คอมมิต | คอมมิท | พุช | ดันขึ้น | เมิร์จ | รันเทส | ย้อนกลับ | ดีพลอยเลย | เปิด pr
    | ขึ้น pr | เก็บกวาด | ปล่อยขึ้น | ยกเลิกให้หมด | ยกเลิกที่""",
    """커밋 | 푸시해 | 푸쉬 | 머지 | 되돌려 | 롤백 | 취소해 | 테스트 돌려 | 테스트 다시
    | 테스트 실행 | 배포해 | 배포하자 | pr 올 | pr 만들 | pr 열""",
    """コミット | プッシュして | マージ | 戻して | 元に戻 | ロールバック | 取り消
    | テスト回 | テストを回 | テスト流 | テストを流 | テスト実行 | テストを実行
    | デプロイして | prを | pr出 | pr作 | 片付けて""",
    """提交吧 | 提交一下 | ^提交 | 推上去 | 推一下 | 合并吧 | 合一下 | 合到 | 回滚
    | 撤销 | 撤回 | 跑测试 | 跑一下 | 跑下 | 跑一遍 | 测一下 | 压一下 | 发布吧 | 部署吧
    | 上线吧 | 提pr | 提个pr | 开pr | 发pr | 清理一下 | 还原 | 两个 commit | 分两个""",
)
# Asks how it stands or what would happen, as one asks about a thing at hand.
WONDERS = phrases(
    """what about | how about | what if | what happens if | what happens when
    | does that | does it | is it | is that | should we | shouldn't | shall we | do we
    | can we | could we | are we | why did | why is it | how many | how much | how long
    | how far | too short | too long | too slow | too much | too many | enough
    | is there a reason | any reason | worth | better to | or should | or do we
    | safe to | do i need | do i have to | will it | would it | won't | wouldn't | isn't
    | aren't | isnt | wont | doesnt it | could it be | could be | might be | i think
    | i guess | i bet | i suspect | i wonder | wondering | maybe | probably | though
    | although | is this | are those | is there still | where is | where do | what do we
    | when do we | do they | ok for | fine for | or not | supposed to | what happens to
    | what happens with | how big | how often | how come | which one | why not | plan b
    | wouldn't it | or is it | is 1 | is 2 | too big | too small | too low | too high
    | overkill | good enough | really | at all | do i start | go live | would be better
    | is better""",
    """et si | est ce que | est ce qu'on | faut il | combien | on peut | on fait
    | on garde | on met | on passe | on devrait | pourquoi ça | c'est normal
    | c'est grave | ça change | ça suffit | c'est quelle | quand est ce | trop court
    | trop long | trop lent | trop lourd | trop gros | trop petit | trop risqué | assez
    | vaut mieux | ou plutôt | ou bien | peut être | je pense | je crois | à mon avis
    | j'ai l'impression | tu crois | tu penses | ça donne | ça vaut | à chaud | ou à
    | vraiment | utile | serait mieux | est mieux | livrer""",
    """ถ้า | ไหม | มั้ย | ใช่ป่ะ | ใช่ปะ | ใช่ไหม | ใช่มั้ย | ป่าว | หรือเปล่า | ดีกว่า | จะเป็นไร
    | ควร | ต้อง | ทำไม | กี่ | เท่าไหร่ | เท่าไร | ไปไหม | นานไป | เยอะไป | น้อยไป | กลัว
    | น่าจะ | คิดว่า | สงสัย | รึเปล่า | ล่ะ | ได้ป่ะ | หรอ | เหรอ | จริงๆ | ได้เลย""",
    """얼마나 | 몇_ | 되나 | 될까 | 할까 | 괜찮 | 아닌가 | 아냐 | 아니야 | 맞아? | 맞지
    | 맞나 | 없어? | 있어? | 왜_ | 하면_ | 면 어떻게 | 안돼? | 같은데 | 같아 | 너무 | 듯
    | 인가 | 나? | 니? | 까? | 는데? | 되는거 | 어떻게 돼 | 꼭 필요 | 가능해 | 필요해?
    | 필요할까 | 낫다 | 왜 세 | 이야?""",
    """んじゃない | ではない | じゃない | ない？ | ない? | ですか | かな？ | かな?
    | かな$ | っけ | だろう | でしょう | すれば | なら | どれくらい | いくつ | 何件
    | 何分 | 大丈夫 | いい？ | いい? | べき | なぜ | なんで | どうして | 足りな | すぎ
    | 気がする | かも | と思う | できない? | てる? | 出てる? | は? | の? | 本当に
    | 必要? | 必要？ | の方がいい | 出せる? | なぜ3""",
    """是不是 | 会不会 | 要不要 | 能不能 | 有没有 | 可不可以 | 对吗 | 对吧 | 吗 | 呢
    | 如果 | 要是 | 万一 | 多少 | 多大 | 多久 | 几个 | 为什么 | 怎么会 | 啥情况
    | 什么情况 | 差多少 | 够不够 | 太_ | 应该 | 可能 | 感觉 | 我觉得 | 估计 | 怎么样
    | 算不算 | 怎么摊 | 在哪 | 值不值 | 真的 | 更好 | 为什么是 | 怎么是""",
)
