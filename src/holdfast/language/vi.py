"""Vietnamese."""

from holdfast.language.language import (
    Cue,
    Language,
    NextSteps,
    Questions,
    Quoting,
    Requests,
    Retractions,
    Rules,
    Statements,
    Talk,
    Words,
)

_START = r"(?:^|[,;]\s*|\b(?:nhưng|hãy|bạn|anh|em|và)\s+)"

# A nod, before what is said or in its place.
_NOD = r"(?:tuyệt\svời|hoàn\sthành|xong|đã\shiểu|được\srồi|chắc\schắn\srồi|vâng)"

LANGUAGE = Language(
    code="vi",
    rules=Rules(
        cues=rf"""
        \b(?:từ\s+(?:giờ|nay) | không\s+bao\s+giờ | bắt\s+buộc | ưu\s+tiên | đừng | ý\s+tôi\s+là | sai\s+rồi
          | đảm\s+bảo\s+(?:rằng|mỗi|là|các|mọi) | tuyệt\s+đối | quan\s+trọng\s+nhất | cấm
          | chỉ\s+(?:dùng|sửa|sử\s+dụng|thay\s+đổi|được) )\b
      | ^không\s+phải,
      | {_START}(?:không\s+được|luôn|phải|cần\s+phải|tránh)\b
        """,
        shapes=r"""
        ^(?:nếu|mỗi\s+(?:khi|lần))\s+(?:tôi|mình|bạn|anh|em)\s[^,;]{3,60}?,?\s+(?:thì\s+)?(?:hãy\s+)?(?:báo|nhắc|hỏi|dừng)\b
      | \bdùng\s[^,;]{1,40}?(?:\s+thay\s+(?:vì|cho)\b|,?\s+(?:chứ\s+)?không\s+(?:dùng|phải)\b)
      | (?:^|[,;]\s*|\b(?:nhưng|và)\s+)không\s+(?:dùng|thêm|sửa|xóa|commit|push|đụng|tự|viết|đổi|tạo|cài)\b(?![^,;]*\b(?:được|nổi|nữa)\b)
      | \b(?:commit|comment|chú\s+thích|tài\s+liệu|trả\s+lời|tên\s+biến)(?:\s+message)?\s+bằng\s+tiếng\s
      | ^(?:hãy\s+)?ng[ừư]ng\s+\w | ^để\s+(?:yên|nguyên)\b | ^(?:sau\s+này|lần\s+sau)\b | ^nhớ\s | \bquan\s+trọng\s+hơn\b
      | ^(?:viết|làm|chạy|sửa)\s[^,;]{1,30}\strước,?\s+(?:rồi|sau\s+đó)\b
      | ^mỗi\s+(?:khi|lần)\s+(?!tôi|nó)[^;]*\bthì\s+(?!nó|bị|lỗi) | ^mỗi\s+\S+\s+tối\s+đa\b | ^chỉ\s+(?:trên|ở|trong)\s
        """,
        likeness=r"""
        \bphải\s[^,;]{1,40}\smới\s+(?:chạy|được|hết)\b
      | \b(?:tôi|mình|em|anh)\s+sẽ\s+(?:đặt|viết|tạo|đưa|thêm)\s[^.;]{0,40}\b(?:quy\s+tắc|luật)\b[^.;]*
      | ^(?:không[,.]?\s+)?sai\s+rồi[\s.!]*$
        """,
        reported=r"^(?:lỗi|cảnh\s+báo|không\s+thể)\b[^.]{0,40}:",
        marks=r"\b(?:luôn|đừng|không\s+được)\b",
        lasts=r"\b(?:luôn|không\sbao\sgiờ)\b",
        passing=r"""
        \b(?:(?<!\bkhông\s)(?:cần\s+)?phải | bắt\s+buộc | ưu\s+tiên | ý\s+tôi\s+là | sai\s+rồi
          | đảm\s+bảo | quan\s+trọng\s+nhất )\b | ^không\s+phải,
        """,
        general=r"\b(?:mọi|mỗi|tất\s+cả|các|trước\s+khi|khi|nếu)\b",
        forbids=r"\b(?:đừng|không|cấm)\b",
        repeats=r"""
        \blại\s+(?:sai|làm\s+sai|quên|mắc)\b | \b(?:đã|vừa)\s+(?:nói|bảo|dặn)\b[^.!?\n]{0,20}\brồi\b | \blại\s+lỗi\s+(?:này|đó|cũ)\b
        """,
        corrects=r"^(?:đừng|không\sphải)",
    ),
    retractions=Retractions(
        forget_that=r"quên\s+(?:đi|nó|điều\s+đó) | bỏ\s+qua\s+(?:đi|điều\s+đó)",
        behind_that="đi",
        lapsed=r"(không\scòn\s(?:áp\sdụng|cần))",
        allows=r"^(?:(?:ok|okay)[,\s]+)?(?:bạn\s+có\s+thể | giờ\s+(?:bạn\s+)?có\s+thể)\b",
    ),
    statements=Statements(
        decided=Cue(r"quyết\sđịnh|đã\schọn", ("quyết định", "đã chọn")),
        says_decided=r"^(?:chúng\stôi\s|tôi\s)?(?:đã\s)?quyết\sđịnh\s",
        found=Cue(
            r"nguyên\snhân|vấn\sđề\s(?:là|nằm)|h(?:óa|oá)\sra",
            ("nguyên nhân", "vấn đề", "hóa ra", "hoá ra"),
        ),
        not_it=Cue(
            r"không\sphải\s(?:là\s)?nguyên\snhân|tôi\sđã\s(?:sai|nhầm)",
            ("không phải", "tôi đã"),
        ),
        still=r"\bvẫn\s(?:còn|không|chưa|bị|lỗi|như|thế|vậy) | \blại\s(?:bị|lỗi)\b",
        refutes=r"\bsai\s(?:rồi|hết)\b|\bkhông\s(?:đúng|phải\s(?:vậy|nguyên\snhân))\b",
        real_cause=Cue(r"nguyên\snhân\s(?:thật|thực)\ssự", ("nguyên nhân",)),
        root_cause=r"nguyên\snhân\sgốc",
        reason=r"\b(?:do\b|nên\b|thiếu|vì|khi|chưa|không)",
        supposes=r"\b(?:có\slẽ|có\sthể)\b",
        points_back=r"^(?:đó|điều\snày)\b",
        undoes=r"\b(?:hoàn\s+tác|khôi\s+phục|quay\s+lại|trả\s+lại)\b",
        all_green=r"\btest\b[^.]*\bđều\s+(?:qua|pass)",
        committed=r"đã\s+commit",
        changed=r"đã\s+sửa",
        denies="chưa|không",
        heads_open=r"^[\s-]*(?:\w+\s){0,2}(?:bước\stiếp\stheo|vấn\sđề|còn\slại|câu\shỏi)\b[^.]{0,40}[:：]",
    ),
    next_steps=NextSteps(
        by_user=r"""
        ^(?!.*\bnếu\sbạn\b)(?:(?:bây\sgiờ|sau\sđó|tiếp\stheo|vui\slòng|hãy|bạn\s(?:cần|phải))[,:]?\s)+(?:chạy|khởi\sđộng\slại|nhấn|dán|tải\slại|mở|cài(?:\sđặt)?)\b
        """,
        says=r"""
        \bbước\stiếp\stheo\b|\bcòn\sphải\b|\bvẫn\scần\b|\bchưa\s(?:xong|hoàn\sthành|kiểm\sthử|làm)\b
        """,
        heading=r"bước\stiếp\stheo|việc\scòn\slại",
        left_alone=r"\bkhông\scần",
        wanted="còn|cần|chưa",
    ),
    talk=Talk(
        filler=rf"^(?:{_NOD}[\s!！.。,，、:—–-]*)+$",
        opening=rf"^(?:{_NOD}\s*[!,.:—–-]+\s+)+(?=\S)",
        offers=r"^(?:nếu\s[^.]*(?:cho\stôi\sbiết|nói\svới\stôi)|hãy\scho\stôi\sbiết|bạn\scó\smuốn\stôi)",
        did=r"(?:đã|xong|hoàn\sthành|giờ)",
        announces=r"""
        ^(?:(?:hãy|giờ|bây\s+giờ|trước\s+tiên|tiếp\s+theo)[,]?\s+)?(?:để\s+tôi|tôi\s+sẽ|hãy\s+xem)\b
        """,
    ),
    questions=Questions(
        tells_later=r"(?:tôi|mình|em|anh)\s(?:sẽ\s)?(?:cho\s(?:bạn\s)?biết|nói|nhập|cung\scấp|gửi)\b[^,;.]{0,30}$",
        only_plans=r"\b(?:chưa\s(?:cần\s)?(?:viết\scode|code|lập\strình)|chỉ\s(?:cần\s)?(?:lên\s)?kế\shoạch)\b",
        tell_me=r"(?:^|\b)(?:hãy|vui\slòng|xin)\s(?:cho\s(?:tôi|mình)\sbiết|chọn|xác\snhận)\b",
        courtesy=r"\b(?:(?:bước|việc)\stiếp\stheo\s(?:là\s)?gì|gì\snữa|thêm\sgì|(?:muốn|cần)\slàm\sgì\stiếp|còn\sgì|gì\skhác|câu\shỏi\s(?:nào|gì)|giúp\s(?:gì|được\sgì))\b",
        asked=r"""
        ^(?:tại\s+sao | vì\s+sao | làm\s+sao | có\s+phải | có\s+nên)\b | \bkhông[\s.]*$
        """,
        heading=r"câu\shỏi\b",
        which=r"\b(?:nào|hay)\b",
        yes="vâng|dạ|được|ừ",
        choosing="số|chọn",
        joins="và",
    ),
    quoting=Quoting(
        leads_in=r"(?:email|thư|tin\s+nhắn|log|đoạn\s+\w+|lỗi|tệp|file|bình\s+luận|nội\s+dung)\s+(?:này|sau|dưới\s+đây) | (?:đây\s+là|xem|dịch|giải\s+thích|tóm\s+tắt).{0,20}(?:log|email|thư|tin\s+nhắn|lỗi|này|sau) | nghĩa\s+là\s+gì",
        reads=r"\b(?:dịch|tóm\s+tắt)\b[^.:]{0,15}(?:này|sau)[^.:]{0,15}$ | \b(?:email|thư|tin\s+nhắn)\s+này\b[^.:]{0,25}$",
        shows=r"\b(?:này|sau|dưới)\b",
        wishes=r"\b(?:quy\s+tắc|yêu\s+cầu|điều\s+kiện|bước|quan\s+trọng|cần|hãy|nhiệm\s+vụ)\b",
        headers=r"từ|đến|chủ\s+đề|tiêu\s+đề|ngày|người\s+báo\s+cáo|mô\s+tả",
        greets=r"(?:xin\s+chào|chào|kính\s+gửi|thân\s+gửi)",
        signs_off=r"(?:trân\s+trọng|cảm\s+ơn|thân\s+mến|thân)\b",
        wrote=r"(?:đã\s+viết|viết)",
    ),
    requests=Requests(
        polite=r"""
        ^(?:(?:ngoài\sra|tiếp\stheo|bây\sgiờ|hãy)[,、，:\s]*\s?)+(?=\S{3}) | ^(?:bạn\scó\sthể)\s+
        """,
        asks_kindly=r"\b(?:có\s+thể|giúp|được\s+không|hãy)\b",
        slips=r"""
        (?:không|ko)\s+(?:cố\s+ý|định|muốn)\s+(?:ngắt|dừng|hủy|huỷ)(?:\s+(?:lời|bạn|em|nó))*
      | (?:lỡ(?:\s+tay)?|vô\s+tình)\s+(?:ngắt|dừng|hủy|huỷ|bấm|nhấn)(?:\s+(?:lời|bạn|em|nó|esc))*
        """,
        stops=r"^\W*(?:hãy\s)?(?:dừng|ngừng|hủy|huỷ|tắt)(?:\s(?:lại|đi|nó|hết|tất\scả|ngay|tiến\strình))*\W*$",
        redoes=r"^\W*(?:hãy\s)?(?:thử\slại|(?:thêm\s)?một\slần\snữa|lần\snữa)\b",
        greets=r"""
        ^(?:xin\s+)?chào(?:[\s,!.]+(?:bạn|claude|em|anh|mọi\s+người))*[\s,!.?]*$
        """,
        opines=r"^(?:(?:ok|okay|hm+)[,.]?\s+)?tôi\s(?:nghĩ|thấy|thích)\b",
        nods="""
            co vang da duoc u uh roi dung tiep tuc di lam thuc hien nhe nha oke ok cam on tot chinh xac khong dong y chay
            buoc xin chao phuong an xong lai thu ke di
            """,
        chores="commit push day merge deploy",
        beside_chores="va cac thay doi file len nhanh main roi giup code",
        adds=r"^(?:và|cũng|còn)\b | \b(?:nữa|luôn)\W*$",
        kinds={},
        intents={},
    ),
    words=Words(
        small="""
        anh bao cac cho chua chung con cung dang dung duoc gio giup hay hon khi khong lai len luon minh moi mot nen
        neu ngay nhe nhu nhung nua oke phai qua rang rat roi sau sao tat tai the theo thi toi tren trong truoc vay voi
        xong xin
        """,
        shortened=("tp",),
        days_ago={"hôm nay": 0, "hôm qua": 1},
    ),
)
