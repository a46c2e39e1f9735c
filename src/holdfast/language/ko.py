"""Korean."""

from holdfast.language.language import (
    Cue,
    Language,
    NextSteps,
    Questions,
    Requests,
    Retractions,
    Rules,
    Statements,
    Talk,
    Words,
)

LANGUAGE = Language(
    code="ko",
    rules=Rules(
        cues=r"""
        반드시 | 절대 | 지\s?(?:마|말)(?=$|[\s.!,요세고]) | 금지 | 꼭\s | 말고
      | 만\s?(?:사용|수정|변경|고쳐|고치|써) | 면\s?안\s?(?:돼|됩|되) | 야\s?(?:해|합니다|한다|돼|됩니다)
      | 그게\s?아니 | ^아니[요오]?[,\s] | [이가]\s?아니라 | 최우선 | 우선순위
      | (?:항상|언제나|앞으로|매번).*(?:세요|십시오|줘|주라|해라|하자|할\s?것|합니다)[\s.!]*$
        """,
        shapes=r"""
        \s대신\s.{1,40}(?:사용|써|쓰|이용) | 지\s?말아 | 통일(?=$|[\s.!해])
      | (?:커밋|주석|메시지|답변|문서|변수명|설명)[은는]\s(?:모두\s|항상\s)?(?:한국어|영어|일본어|중국어)로(?!\s?(?:되|나|표시|보))
      | 그만\s?(?:해|하세요) | 그대로\s?(?:둬|두세요|둘\s?것|유지) | 보다\s.{1,20}중요 | ^(?:이제부터|지금부터)\s
      | 먼저\s.{1,30}(?:하고|한\s?(?:뒤|다음))\s.{0,20}해(?:$|[\s.!줘요])
        """,
        likeness=r"""
        ^아니[요오]?[,\s]+(?:괜찮|좋|됐|충분|문제\s?없)
      | 반드시\s[^.,]{0,40}(?:에러|오류|실패)[^.,]{0,10}(?:나요|납니다|해요|합니다|떠요)[.!]*$
        """,
        marks=r"지\s?(?:마세요|마|말아\S*)|절대|반드시|항상",
        lasts="항상|절대|앞으로|반드시",
        forbids=r"않|말|지\s?마|금지",
        corrects=r"^(?:아니|하지\s?마)",
    ),
    retractions=Retractions(
        forget_that=r"(?:그건|방금\s건)?\s*(?:잊어|취소)",
        behind_that="요|주세요",
        rule_nouns="규칙",
        lapsed=r"(잊어|무시(?!하지)|취소|필요\s?없)",
        no_more=r"더\s?이상",
        allows=r"[아어해여써]도\s?(?:돼|됩니다|괜찮)",
        only_takes_back="잊어|취소",
    ),
    statements=Statements(
        decided=Cue(
            r"결정했|기로\s했|(?:을|를)\s선택했", ("결정했", "기로 했", "선택했")
        ),
        user_decided=Cue(r"로\s하자", ("로 하자",)),
        found=Cue(
            "원인|문제(?:였|입니다|는)|확인했|밝혀졌",
            ("원인", "문제", "확인했", "밝혀졌"),
        ),
        not_it=Cue(
            r"원인이\s아니|제가\s틀렸|잘못\s(?:판단|생각)",
            ("원인이 아니", "틀렸", "잘못"),
        ),
        real_cause=Cue(r"진짜\s(?:원인|문제)", ("원인", "문제")),
        root_cause=r"근본\s원인",
        supposes=r"아마|것\s같",
        gave_up=Cue(r"안\s?됩니다", ("됩니다",)),
        all_green="테스트[^.]*통과",
        committed="커밋(?:했|완료)",
        changed="수정했",
        denies="않",
        heads_open=r"^[\s-]*(?:문제|남은|질문)[^。]{0,20}[:：]",
    ),
    next_steps=NextSteps(
        says="(?:^다음(?:으로|은|에는).*(?:합니다|한다|해야))|아직.*(?:남|않|못)",
        heading=r"다음\s(?:단계|작업)|남은\s(?:작업|일|단계|문제|과제)",
        left_alone=r"문제\s?없|괜찮",
        wanted="아직|해야|필요",
    ),
    talk=Talk(
        did=r"(?:했습니다|되었습니다|됐습니다|했어요|됩니다|완료|이제|었습니다|았습니다)",
        announces=r"^[^.\n]*(?:겠습니다|할게요?|볼게요?|보자)[.:]?$",
    ),
    questions=Questions(
        asked=r"^왜\s | 어떻게",
        asks_at_end="나요|까요|을까",
        heading="질문",
        which="어느|어떤|아니면",
        option="옵션",
        yes="네|예|응|좋아요?",
        joins="랑",
        behind_label="번",
        refuses="말고",
        resume="네|예|응|계속|이어서",
        keep="보관|유지|아니|나중",
        discard="삭제|버려|지워",
    ),
    requests=Requests(
        polite=r"^(?:(?:그리고|그럼|잠깐)[,、，:\s]*\s?)+(?=\S{3})",
        opines=r"^(?:(?:ok|okay|hm+)[,.]?\s+)?내\s생각|것\s같(?:아|습)",
        settles=r"로\s하자",
        nods="""
            네네 네 예 응 ㅇㅇ ㅇㅋ 계속 계속해 계속해줘 진행 진행해 진행해줘 좋아요 좋아 좋습니다 좋네 해줘 해주세요 해 주세요 하자 그래
            그렇게 알겠어 알겠습니다 고마워 감사합니다 감사 맞아 맞아요 맞습니다 아니 아니요 다음 단계 이어서 이어 다시 시작 부탁 오케이
            확인 완료 됐어 그대로 첫번째 두번째 번 으로 로 를 을 줘
            """,
        chores="커밋 푸시 푸쉬 머지 병합 배포 릴리스",
        beside_chores="변경사항 변경 사항 파일 브랜치 모두 전부 하고 에 메시지",
        adds=r"^(?:그리고|또한|또)\s | \S도\s?(?:해줘|부탁해|해주세요|추가해줘)?\W*$",
        kinds={
            "debugging": "버그",
            "testing": "테스트",
            "documentation": "문서",
            "refactoring": "리팩터",
            "planning": "설계",
            "research": "설명",
        },
        intents={
            "deploy": "배포",
            "review": "리뷰",
            "verify": "검증|테스트",
            "fix": "고쳐|수정",
            "analyze": "분석",
            "generate": "추가|만들",
        },
    ),
    words=Words(days_ago={"오늘": 0, "어제": 1}),
)
