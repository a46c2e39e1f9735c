"""How a prompt speaks of something new, in six languages: it asks for it, or in general."""

from holdfast.start.continues.phrase_book import phrases

# Begins something: it is made, brought in, or drawn up as new.
MAKES = phrases(
    """^add a | ^add an | ^add new | ^add some | ^add support | ^add | ^create
    | ^write a | ^write an | ^write | ^build a | ^build an | ^build | ^set up | ^setup
    | ^implement | ^make a | ^make an | ^make me | ^generate | ^design | ^draft
    | ^introduce | ^port | ^bump | ^upgrade | ^migrate | ^translate | ^install
    | ^configure | ^enable | ^draw | ^prepare | ^profile | ^scaffold | ^convert
    | ^replace | ^delete | ^rename | ^document | ^integrate | add a | create a | build a
    | write a | set up a | implement a | ^give me | ^cut | ^make the | ^make our
    | ^improve | ^optimi* | ^investigate | ^look into | ^audit | ^move | ^switch
    | ^support | ^list | ^allow | ^help me | ^help | ^find | ^put | ^publish
    | ^please add | ^please write | can we add | can we get | can we upgrade
    | can we have | can we support | could we add | could we get | should we add a
    | can you add | can you write | can you build | can you create | can you find
    | can you make | can you set up | can you translate | can you explain
    | could you add | could you write | new feature | new page | new endpoint
    | new command | new script | new service | i need a | i need an | i want a
    | i want an | i'd like a | i'd like an | i would like a | we need a | we need an
    | we want a | we want to | i want to | we'd like | i'd like to | nothing fancy
    | from our | for our | a user reported | users report | users complain
    | customers report | our users""",
    """^ajoute un | ^ajoute une | ^ajoute des | ^ajoute | ^crée | ^écris
    | ^mets en place | ^mets un | ^mets une | ^mets à jour | ^fais un | ^fais une
    | ^fais moi | ^génère | ^installe | ^conçois | ^prépare | ^traduis | ^dessine
    | ^développe | ^implémente | ^optimise | ^remplace | ^supprime | ^renomme | ^migre
    | ^refais | ^passe le | ^passe la | ^mets | ^rends | ^améliore | ^intègre | ^publie
    | ^trouve | ^fais | je voudrais | j'aimerais | il faudrait | on voudrait
    | il nous faut un | il nous faut une | nouvelle page | nouveau | nouvelle
    | intègre""",
    """^เพิ่ม | ^สร้าง | ^ทำหน้า | ^ทำแอป | ^ทำระบบ | ^ทำ dashboard | ^ทำ export | ^ทำ api
    | ^ทำเว็บ | ^ทำปุ่ม | ^แก้ css | ^เขียน | ^ออกแบบ | ^ติดตั้ง | ^อัปเกรด | ^อัพเกรด
    | ^แปล | ^ย้าย | ^เปลี่ยน | ^ตั้งค่า | อยากได้ | อยากทำ | อยากเพิ่ม | ช่วยเขียน | ช่วยสร้าง
    | ช่วยทำ | ช่วยออกแบบ | ช่วยเพิ่ม | ช่วยแปล | ใหม่""",
    """추가해 | 추가하고 | 추가$ | 만들어 | 만들자 | 만들고 싶 | 구현해 | 구현$ | 넣어줘
    | 넣고 싶 | 설정해 | 설계해 | 작성해 | 도입 | 교체 | 추천해 | 번역해 | 바꿔줘
    | 바꾸고 싶 | 옮기고 싶 | 자동화 | 새로 | 업그레이드 | 그려줘 | 정리해줘 | 개선
    | 생성해 | 올리자 | 올려줘 | 고쳐줘 | 구성해 | 추가""",
    """追加して | 追加したい | 追加$ | 作って | 作りたい | 作成して | 書いて | 実装して
    | 導入 | 入れて | 上げたい | 上げて | 設定して | 置き換え | 変換して | 翻訳して
    | 設計して | ほしい | 欲しい | したい | たい$ | 用意して | 新しい | 新規 | 考えて
    | 提案を | 付けて | つけて | 対応して | つぶして | 調べて | 直して""",
    """加一个 | 加个 | 加上 | 加一下 | 要加 | 做一个 | 做个 | 写一个 | 写个 | 写一份
    | 新增 | 新建 | 搭一个 | 搭建 | 生成 | 升级 | 帮我写 | 帮我做 | 帮我把 | 翻译 | 设计一 | 设计个
    | 接入 | 引入 | 换成 | 改成 | 改版 | 实现一个 | 弄一个 | 出一份 | 想做 | 想要
    | 需要一个 | 支持 | 把所有 | 重写 | 换一套 | 列出来 | 给_ | ^给 | 加个字段
    | 优化一下""",
)
# Asks what one can answer without the work.
ASKS = phrases(
    """what is a | what is an | what is the difference | what's the difference
    | whats the difference | difference between | ^what is | ^what are | ^what's a
    | ^what does | ^how do i | ^how do you | ^how does | ^how can i | ^how to | ^explain
    | ^tell me about | ^show me how | ^teach | ^which | pros and cons | best practice
    | best way to | ^why do we use | ^why does | ^why are | ^is there a way | ^who | ^when did
    | ^give me an overview | architecture of this | this repo | this repository
    | this codebase | this project | ^recommend | ^compare | ^i want to learn | versus
    | vs | i always mix""",
    """^c'est quoi | ^qu'est ce que | ^qu'est ce qu'un | ^comment | ^pourquoi
    | ^explique | quelle est la différence | la différence entre | la diff entre | ^quel
    | ^quelle | ^quels | ce dépôt | ce projet | ce repo | meilleure façon
    | ^est ce que je peux | ^conseille""",
    """คืออะไร | ต่างกันยังไง | ต่างกันอย่างไร | ต่างจาก | อะไรดี | อันไหนดี | อันไหนเหมาะ
    | อธิบาย | ยังไงดีสำหรับ | ทำงานอย่างไร | ทำงานยังไง | วิธีการ | มีวิธี | แนะนำ
    | ข้อดีข้อเสีย | เลือกอะไร | โปรเจกต์นี้""",
    """차이 | 어떤 라이브러리 | 어떤 걸 | 뭐 쓰 | 뭐야 | 뭔가요 | 무엇 | 뭐가 나아 | 뭐가 좋 | 하는 법 | 하는법 | 사용법
    | 방법$ | 방법 알려 | 방법을 | 설명해 | 알려줘 | 알려 줘 | 장단점 | 추천 | 주의할
    | 이 프로젝트 | 이 저장소 | 이 레포 | 원리 | 개념""",
    """違い | とは | って何 | 何ですか | 何のため | 教えて | 説明して | 方法ある
    | 方法は | どうしたらいい | どうすればいい | 種類 | メリット | おすすめ
    | このリポジトリ | このプロジェクト | 相談したい | すべきか | 使い方 | 仕組み""",
    """区别 | 是什么 | 什么意思 | 怎么选 | 哪个好 | 有什么坑 | 有啥坑 | 如何 | 介绍一下
    | 解释一下 | 讲讲 | 原理 | 优缺点 | 推荐 | 这个项目 | 这个仓库 | 教我
    | 最佳实践""",
)
